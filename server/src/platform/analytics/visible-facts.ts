import type { OrgType } from '@caseway/contract/session';
import type { Scope } from '../scope.ts';
import { columnsOf, type FactTable, factTables } from './facts.ts';

/** A value of a parameter: never anything but a value, since no text of a client becomes part of a query. */
export type Param = string | number | boolean | null | readonly string[];

/**
 * A query over facts in the SQL that PostgreSQL and DuckDB share. In it `result_fact` and `case_fact` mean only what
 * its reader may see, and nothing else can be reached.
 */
export interface Question {
  /** More common table expressions, `name as (…)`, separated by commas. */
  with?: string;
  select: string;
  /** Values of `$1`, `$2` … */
  params?: readonly Param[];
}

/** The parts of a statement that restrict the facts to a reader. */
export interface VisibleFacts {
  /** Common table expressions that replace each fact table with its visible rows. */
  ctes: string;
  params: Param[];
}

/**
 * The facts a scope may see, with parameters numbered from `first`. It is equivalent to the policies of `result`,
 * `case_report` and `patient` in the migrations; a test queries both and requires the same rows.
 */
export function factsIn(scope: Scope, first: number): VisibleFacts {
  const params: Param[] = [];
  const param = (value: Param) => `$${first - 1 + params.push(value)}`;
  const conditions = conditionsOf(scope, param).join(' and ');
  const ctes = factTables.map(
    (table) =>
      `${table} as not materialized (select ${shownIn(scope, table, param)} from ${table} where ${conditions})`,
  );
  return { ctes: ctes.join(', '), params };
}

/**
 * The columns of a person that an organization or facility does not see because another one reported them. `shown`
 * gives the SQL of a column. [P23]
 */
const toldColumns: Partial<Record<string, (shown: (column: string) => string) => string>> = {
  gender: () => 'null',
  race: () => 'null',
  ethnicity: () => 'null',
  city_key: () => 'null',
  demographics_known: () => 'false',
  // The keys include telephones, addresses and numbers; a person can still be found by name.
  search_names: (shown) =>
    `' ' || coalesce(${shown('first_name_key')}, '') || ' ' || coalesce(${shown('last_name_key')}, '')`,
  search_numbers: () => "' ' || replace(case_id, '-', '')",
};

/** The notes of a case that an organization, a facility or a jurisdiction sees: those of its own results. [P23] */
const ownNotes: Partial<Record<OrgType, string>> = {
  O: 'organization_notes_key',
  F: 'facility_notes_key',
  PHJ: 'county_notes_key',
};

/**
 * The columns as a scope sees them: no gender identity in a tenant that no longer records it; an organization or
 * facility sees of a person only what it has reported itself; and readers who may not see restricted families see
 * nothing that only their reports say.
 */
function shownIn(scope: Scope, table: FactTable, param: (value: Param) => string): string {
  if (scope.kind !== 'org') return '*';
  const isWithin = scope.orgType === 'O' || scope.orgType === 'F';
  const isBlind = scope.hiddenFamilies.length > 0;
  const notes = scope.orgType === 'A' ? undefined : ownNotes[scope.orgType];
  if (scope.genderIdentityShown && notes === undefined && !isBlind) return '*';
  const told = isWithin ? `(patient_told_by is null or ${param(scope.orgId)} = any(patient_told_by))` : '';
  const columns = columnsOf(table);
  const kinds = new Map(columns);
  const shown = (name: string) => {
    const within = `within_${name}`;
    if (isWithin && kinds.has(within))
      return kinds.get(within) === 'code' ? within : `case when told_within then ${within} else ${name} end`;
    if (isWithin && name === 'county_fips' && kinds.has('county_borrowed'))
      return 'case when county_borrowed then null else county_fips end';
    const open = `open_${name}`;
    if (!isBlind || !kinds.has(open)) return name;
    // Codes are visible to everyone: a choice between two columns of codes would become a text.
    const isWhole = ['code', 'flag'].includes(kinds.get(open)!);
    return isWhole ? open : `case when told_openly then ${open} else ${name} end`;
  };
  const selected = columns.map(([name, kind]) => {
    if (name === 'gender' && !scope.genderIdentityShown) return 'cast(null as text) as gender';
    if (name === 'notes_key' && notes !== undefined && kinds.has(notes))
      return `nullif(coalesce(${notes}, notes_key), '') as notes_key`;
    const instead = toldColumns[name];
    // A number from another place is not found either.
    if (isWithin && name === 'search_numbers' && kinds.has('told_within'))
      return `case when ${told} and not told_within then ${shown(name)} else ${toldColumns[name]!(shown)} end as ${name}`;
    const value = shown(name);
    if (!isWithin || instead === undefined) return value === name ? name : `${value} as ${name}`;
    const type = kind === 'flag' ? 'boolean' : 'text';
    return `case when ${told} then ${value} else cast(${instead(shown)} as ${type}) end as ${name}`;
  });
  return ['tenant_id', ...selected].join(', ');
}

function conditionsOf(scope: Scope, param: (value: Param) => string): string[] {
  if (scope.kind === 'identity' || scope.kind === 'system' || scope.kind === 'patient') return ['false'];
  // A replica has one tenant; the condition is there anyway, so that the wrong replica would answer with nothing.
  const conditions = [`tenant_id = cast(${param(scope.tenantId)} as uuid)`];
  if (scope.kind === 'service') return conditions;
  // One by one: DuckDB compares codes with a single value four times as fast as with a list.
  const others = scope.hiddenFamilies.map((family) => `disease_family <> ${param(family)}`);
  if (others.length > 0) conditions.push(`(disease_family is null or ${others.join(' and ')})`);
  switch (scope.orgType) {
    case 'A':
    case 'T':
      break;
    case 'O': {
      const organization = param(scope.orgId);
      conditions.push(`organization_id = ${organization}`, `${organization} = any(patient_organization_ids)`);
      break;
    }
    case 'F': {
      const facility = param(scope.orgId);
      conditions.push(`facility_id = ${facility}`, `${facility} = any(patient_facility_ids)`);
      break;
    }
    case 'PHJ': {
      const counties = param(scope.counties);
      // For persons, the address in the reports that the reader may see.
      const livesIn = others.length > 0 ? 'open_patient_county_fips' : 'patient_county_fips';
      conditions.push(`county_fips = any(${counties})`, `${livesIn} = any(${counties})`);
      break;
    }
    default:
      // A new type sees nothing until it is added here.
      return ['false'];
  }
  return conditions;
}

/** The statement that answers a question for a scope, the same text for both engines. */
export function statementFor(scope: Scope, question: Question): { text: string; params: Param[] } {
  const given = question.params ?? [];
  const visible = factsIn(scope, given.length + 1);
  const further = question.with ? `, ${question.with}` : '';
  return { text: `with ${visible.ctes}${further} ${question.select}`, params: [...given, ...visible.params] };
}
