import { betaFeatures, type Feature, featuresFor } from '@caseway/contract/permission';
import type { OwnSwitch, SwitchedPlace } from '@caseway/contract/settings';

/** The switch of one place: on, off, or no own setting. */
export type State = boolean | null;

/** An unsaved edit of a switch, with its place's name. */
export type Edit = OwnSwitch & { place: string };

export const sameSwitch = (
  a: Pick<OwnSwitch, 'orgType' | 'orgId' | 'feature'>,
  b: Pick<OwnSwitch, 'orgType' | 'orgId' | 'feature'>,
): boolean => a.orgType === b.orgType && a.orgId === b.orgId && a.feature === b.feature;

/** The choices for a place: like the tenant, off, and for beta features also on. */
export const statesOf = (feature: Feature, tenantOn: boolean): State[] => {
  if (betaFeatures.includes(feature)) return [null, true, false];
  // A feature that the tenant has off is off everywhere.
  return tenantOn ? [null, false] : [null];
};

/** The key of a state's text, under `features`. */
export const stateKey = (state: State, tenantOn: boolean): string => {
  if (state === null) return tenantOn ? 'inheritsOn' : 'inheritsOff';
  return state ? 'on' : 'off';
};

/** The edits plus one; an edit without effect is removed. */
export function withEdit(edits: readonly Edit[], edit: Edit): Edit[] {
  const others = edits.filter((one) => !sameSwitch(one, edit));
  return edit.before === edit.after ? others : [...others, edit];
}

/** The edit of a place's switch, if any. */
export const editOf = (
  edits: readonly Edit[],
  { orgType, id: orgId }: SwitchedPlace,
  feature: Feature,
): Edit | undefined => edits.find((one) => sameSwitch(one, { orgType, orgId, feature }));

/** The features of a place with the edits. */
export function stateOf(edits: readonly Edit[], place: SwitchedPlace, feature: Feature): State {
  const edit = editOf(edits, place, feature);
  return edit ? edit.after : (place.own[feature] ?? null);
}

/** Whether a feature is on in a place, given the tenant's features and the place's switch. */
export const isOn = (feature: Feature, tenantOn: readonly Feature[], state: State): boolean =>
  featuresFor(tenantOn, state === null ? {} : { [feature]: state }).includes(feature);
