import { programs, programTypes, tasks } from '@caseway/contract/places';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { passOn } from '../../platform/carried/carried.ts';
import type { App } from '../../platform/http/app.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { nameTaken, unknownIn } from '../../platform/records/record-faults.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { tenantOf } from '../../platform/records/serve-records.ts';
import { demographics, familyByCode } from '../reference/catalog.ts';
import { lockPlaces } from './lock-places.ts';
import { installType, typesIn } from './program-types.ts';

/** The labels of a record in other languages, with their stored form. */
const otherLabels = { labelEs: `r.label_i18n->>'es'`, labelHt: `r.label_i18n->>'ht'` };
const labelColumns = ({ labelEs, labelHt }: { labelEs: string | null; labelHt: string | null }) => ({
  label_i18n: JSON.stringify({
    ...(labelEs !== null && { es: labelEs }),
    ...(labelHt !== null && { ht: labelHt }),
  }),
});

export const programServer = recordServer<typeof programs>({
  record: programs,
  sql: {
    ...otherLabels,
    tasks: '(select count(*) from task t where t.tenant_id = r.tenant_id and t.program_id = r.id)::int',
  },
  searched: ['label', 'labelEs', 'labelHt'],
  lock: lockPlaces,
  faults: async (tx, { label, programType, organization, diseaseFamilies }, writing) => {
    const { tenantId, id, hiddenFamilies } = writing;
    const faults = [
      ...(await nameTaken(tx, 'program where tenant_id = (select app_tenant())', label, id, 'label')),
      ...(await unknownIn(tx, 'organization', 'organization', organization)),
    ];
    if (
      programType !== undefined &&
      !(await typesIn(tx, tenantId)).some(({ id: one }) => one === programType)
    )
      faults.push(faultAt('programType', 'unknown-choice', 'there is no such program type'));
    // Families that the person may not see are treated as unknown, and as unused. [P18]
    const known = (diseaseFamilies ?? []).filter((one) => familyByCode(one) && !hiddenFamilies.includes(one));
    if (known.length < (diseaseFamilies ?? []).length)
      faults.push(faultAt('diseaseFamilies', 'unknown-choice', 'there is no such disease family'));
    if (organization === undefined) return faults;
    const others = await tx.rows<{ label: string }>(
      `select label from program where tenant_id = (select app_tenant()) and id <> $1 and deactivated_at is null
         and organization_id is not distinct from $2 and disease_families && $3::text[] limit 1`,
      [id, organization, known],
    );
    if (others.length > 0)
      faults.push(
        faultAt('diseaseFamilies', 'family-taken', `one of them belongs to the program ${others[0]!.label}`),
      );
    return faults;
  },
  prepare: (tx, { programType }, { tenantId }) => installType(tx, tenantId, programType),
  derived: labelColumns,
  write: async (tx, _, { tenantId, id }) => {
    await passOn(tx, tenantId, 'program', [id]);
    await recordChange(tx, tenantId, 'program', [id]);
  },
});

const categories = demographics.taskCategory.map(({ code }) => code);

export const taskServer = recordServer<typeof tasks>({
  record: tasks,
  sql: otherLabels,
  orders: { taskCategory: categories },
  searched: ['label', 'labelEs', 'labelHt'],
  lock: lockPlaces,
  faults: async (tx, { label, program, taskCategory }, { id }) => [
    ...(await nameTaken(
      tx,
      'task where tenant_id = (select app_tenant()) and program_id = $3',
      program === undefined ? undefined : label,
      id,
      'label',
      [program],
    )),
    ...(await unknownIn(tx, 'program', 'program', program)),
    ...(taskCategory === undefined || categories.includes(taskCategory)
      ? []
      : [faultAt('taskCategory', 'unknown-choice', 'there is no such task category')]),
  ],
  derived: labelColumns,
  write: async (tx, { program }, { tenantId, id }) => {
    await passOn(tx, tenantId, 'program', [program]);
    await recordChange(tx, tenantId, 'task', [id]);
  },
});

/** The types that programmes can have. */
export function serveProgramTypes(app: App): void {
  serve(app, programTypes, (call) =>
    call.withScope(async (tx) => ({ types: await typesIn(tx, tenantOf(call)) })),
  );
}
