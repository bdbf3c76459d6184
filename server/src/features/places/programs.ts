import {
  type ProgramFields,
  type ProgramRecord,
  placeStatuses,
  programEndpoints,
  programGrid,
  programTypes,
  type TaskFields,
  type TaskRecord,
  taskEndpoints,
  taskGrid,
} from '@caseway/contract/places';
import { passOn } from '../../platform/carried/carried.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import type { App } from '../../platform/http/app.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { demographics, familyByCode } from '../reference/catalog.ts';
import { installType, typesIn } from './program-types.ts';
import { nameTaken, type RecordKind, tenantOf, unknownIn, wordsOf } from './records.ts';

const labelsOf = (alias: string) =>
  `${alias}.label, ${alias}.label_i18n->>'es' as "labelEs", ${alias}.label_i18n->>'ht' as "labelHt"`;
const standing = (alias: string) =>
  `${alias}.version, ${alias}.deactivated_at is null as active,
    case when ${alias}.deactivated_at is null then 'active' else 'inactive' end as status`;
/** The labels of a record as they are stored. */
const labelColumns = ({ labelEs, labelHt }: { labelEs: string | null; labelHt: string | null }) => ({
  label_i18n: JSON.stringify({
    ...(labelEs !== null && { es: labelEs }),
    ...(labelHt !== null && { ht: labelHt }),
  }),
});

// Families that the reader may not see are not mentioned. [P18]
const programTable = `(select p.tenant_id, p.id, ${labelsOf('p')}, p.program_type_id as "programType",
    p.organization_id as organization, ${standing('p')},
    array(select family from unnest(p.disease_families) as family
      where family <> all (coalesce((select app_hidden_families()), '{}'))) as "diseaseFamilies",
    (select count(*) from task t where t.tenant_id = p.tenant_id and t.program_id = p.id)::int as tasks
  from program p)`;

const programSource: GridSource<typeof programGrid> = {
  grid: programGrid,
  table: programTable,
  fields: {
    label: { kind: 'text', sql: 'f.label' },
    programType: { kind: 'choice', sql: 'f."programType"', ids: true, order: 'programTypes' },
    organization: { kind: 'choice', sql: 'f.organization', ids: true, order: 'organizations' },
    diseaseFamilies: { kind: 'choice', sql: 'f."diseaseFamilies"', many: true, order: [] },
    tasks: { kind: 'number', sql: 'f.tasks' },
    status: { kind: 'choice', sql: 'f.status', order: placeStatuses },
  },
  filters: {},
  searchText: wordsOf('f.label', 'f."labelEs"', 'f."labelHt"'),
};

export const programKind: RecordKind<ProgramFields, ProgramRecord> = {
  name: 'program',
  table: 'program',
  tenantColumn: 'tenant_id',
  endpoints: programEndpoints,
  source: programSource,
  columns: { label: 'label', programType: 'program_type_id', organization: 'organization_id' },
  others: ['labelEs', 'labelHt', 'diseaseFamilies'],
  read: async (tx, ids) => {
    const rows = await tx.rows<ProgramRecord & { tenant_id: string }>(
      `select * from ${programTable} f where f.id = any ($1::uuid[])`,
      [ids],
    );
    return rows.map(({ tenant_id: _, ...row }) => row);
  },
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
    // Families that the person may not see are treated as unknown, and belong to nobody. [P18]
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
  // Families that the person may not see do not change.
  write: async (tx, { diseaseFamilies }, { tenantId, id, hiddenFamilies }) => {
    await tx.run(
      `update program set disease_families = $3::text[] || array(
         select family from unnest(disease_families) as family where family = any ($4) and family <> all ($3))
       where tenant_id = $1 and id = $2`,
      [tenantId, id, [...new Set(diseaseFamilies)], hiddenFamilies],
    );
    await passOn(tx, tenantId, 'program', [id]);
  },
};

const taskTable = `(select t.tenant_id, t.id, ${labelsOf('t')}, t.program_id as program,
    t.task_category as "taskCategory", ${standing('t')} from task t)`;
const categories = demographics.taskCategory.map(({ code }) => code);

const taskSource: GridSource<typeof taskGrid> = {
  grid: taskGrid,
  table: taskTable,
  fields: {
    label: { kind: 'text', sql: 'f.label' },
    program: { kind: 'choice', sql: 'f.program', ids: true, order: 'programs' },
    taskCategory: { kind: 'choice', sql: 'f."taskCategory"', order: categories },
    status: { kind: 'choice', sql: 'f.status', order: placeStatuses },
  },
  filters: {},
  searchText: wordsOf('f.label', 'f."labelEs"', 'f."labelHt"'),
};

export const taskKind: RecordKind<TaskFields, TaskRecord> = {
  name: 'task',
  table: 'task',
  tenantColumn: 'tenant_id',
  endpoints: taskEndpoints,
  source: taskSource,
  columns: { label: 'label', program: 'program_id', taskCategory: 'task_category' },
  others: ['labelEs', 'labelHt'],
  read: async (tx, ids) => {
    const rows = await tx.rows<TaskRecord & { tenant_id: string }>(
      `select * from ${taskTable} f where f.id = any ($1::uuid[])`,
      [ids],
    );
    return rows.map(({ tenant_id: _, ...row }) => row);
  },
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
  write: (tx, { program }, { tenantId }) => passOn(tx, tenantId, 'program', [program]),
};

/** The types that programmes can have. */
export function serveProgramTypes(app: App): void {
  serve(app, programTypes, (call) =>
    call.withScope(async (tx) => ({ types: await typesIn(tx, tenantOf(call)) })),
  );
}
