import type { Permission } from '@caseway/contract/endpoint';
import { betaFeatures, type Feature, type FeatureNeed, featuresNeeded } from '@caseway/contract/permission';
import type { Check } from '@caseway/contract/policy';
import type { ComponentType } from 'react';
import type { MenuIcon } from './menu-icons.ts';

/** A screen of the product, as routes.tsx declares it. */
export interface Screen {
  /** `/case-reports/:id`. */
  path: string;
  /** Key of its name. */
  label: string;
  /** Key of its sentence on the home screen. */
  purpose?: string;
  /** Loads it; a separate chunk. */
  load: () => Promise<{ default: ComponentType }>;
  /** Namespaces of its texts, which load with the common ones when a page opens with it. */
  words?: readonly string[];
  /** Who may see it; absent: everyone signed in. */
  permission?: Permission | readonly Permission[];
  /** The tenant and beta features that must be on, in addition to the permission's own. [S1.6] */
  feature?: FeatureNeed;
  /** Available even without the second factor the organization requires, in order to set one up. [P21] */
  withoutSecondFactor?: true;
  /** Its place in the side navigation; absent: none. */
  menu?: { group: MenuGroup; icon: MenuIcon };
  /** The parts of a screen with their own addresses, and the keys of their names. */
  parts?: () => Promise<{ screenParts: readonly ScreenPart[] }>;
}
export interface ScreenPart {
  path: string;
  label: string;
}

/** The path of a user's own account. */
export const profilePath = '/profile';

export const menuGroups = ['work', 'analytics', 'administration'] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** Screens whose feature is on: the others have no menu entry and no route. [S1.6] */
export const switchedOn = (screens: readonly Screen[], features: ReadonlySet<string>): Screen[] =>
  screens.filter(({ feature, permission }) => {
    const isOn = (needed: readonly string[]) => needed.every((one) => features.has(one));
    const ofPermission = [permission ?? []].flat().map((one) => featuresNeeded(one));
    return isOn([feature ?? []].flat()) && (ofPermission.length === 0 || ofPermission.some(isOn));
  });

export const maySee = (screen: Screen, may: (check: Check) => boolean): boolean =>
  screen.permission === undefined || may(screen.permission);

const featuresOf = ({ permission, feature }: Screen): Feature[] =>
  [permission ?? 'general/other'].flat().flatMap((one) => featuresNeeded(one, feature));

/** The feature whose look-ups it uses. */
export const featureOfScreen = (screen: Screen): Feature | undefined => featuresOf(screen)[0];

/** Whether it is in beta, and marked as such. */
export const isBeta = (screen: Screen): boolean =>
  featuresOf(screen).some((one) => betaFeatures.includes(one));
