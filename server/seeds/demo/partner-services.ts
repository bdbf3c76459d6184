import { daysAfter } from '@caseway/contract/calendar';
import { addDays } from '@caseway/contract/date-range';
import type { Value } from '@caseway/contract/expression';
import { partnerFlow } from '@caseway/contract/partner-flow';
import { partnerRecord } from '@caseway/contract/partner-services';
import { anyRecord, columnFor, type Fields } from '@caseway/contract/record';
import { act, type Subject } from '@caseway/contract/workflow';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { calendarOf } from '../../src/platform/records/effects.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { insertTasks, type NewTask } from '../../src/platform/records/work-rows.ts';
import { loadRows, numberAt } from './load.ts';
import { demoId } from './tenant-parts.ts';

/** A transition, this many days before today, with the entered values. */
type Step = readonly [ago: number, transition: string, entered?: Readonly<Record<string, Value>>];

interface Named {
  fields: Readonly<Record<string, Value>>;
  /** Days before today of the first and last contact. */
  met?: readonly [first: number, last: number];
  /** A person of the demo, if the name is known. */
  known?: true;
  steps?: readonly Step[];
}
interface Story {
  families: readonly string[];
  began: number;
  fields?: Readonly<Record<string, Value>>;
  steps: readonly Step[];
  named?: readonly Named[];
}

const exam = { examProvider: 'Dr. Adaeze Okafor', examFacility: 'Riverside Clinic' };
const decide = (ago: number, initialFollowUp = 'FF'): Step => [
  ago,
  'decide',
  { initialFollowUp, initialFollowUpOn: `-${ago}` },
];
const assign = (ago: number): Step => [ago, 'assignField', { fieldInvestigator: 'worker' }];
const dispose = (ago: number, disposition: string, more: Readonly<Record<string, Value>> = {}): Step => [
  ago,
  'dispose',
  {
    disposition,
    dispositionOn: `-${ago}`,
    dispositionBy: 'worker',
    supervisor: 'supervisor',
    ...('ABCDEF'.includes(disposition) && { ...exam, examOn: `-${ago}` }),
    ...more,
  },
];
const giveInterview = (ago: number): Step => [ago, 'assignInterviewer', { interviewer: 'worker' }];
const interview = (ago: number, more: Readonly<Record<string, Value>> = {}): Step => [
  ago,
  'recordInterview',
  {
    interviewStatus: 'I',
    interviewedOn: `-${ago}`,
    interviewType: 'original',
    interviewPlace: 'clinic',
    ...more,
  },
];
const found = (assigned: number, ended: number, disposition: string, more = {}): Step[] => [
  decide(assigned),
  assign(assigned),
  dispose(ended, disposition, more),
];
const partner = { referralBasis: 'P1', namedHow: 'original', relation: 'other-partner' };

/** Cases in every stage, and the people who were named for them. */
const stories: readonly Story[] = [
  {
    families: ['syphilis'],
    began: 42,
    steps: [
      decide(41),
      assign(40),
      dispose(37, 'C'),
      giveInterview(37),
      interview(35, {
        malePartners: 'yes',
        malePartnersInYear: 4,
        malePartnersInPeriod: 2,
        internetElicited: 'yes',
        internetFollowUp: 'I3',
        reinterviewedOn: '-21',
      }),
      [12, 'closeCase', { caseClosedOn: '-12', closedBy: 'supervisor' }],
    ],
    named: [
      {
        fields: { ...partner, relation: 'main-partner' },
        met: [300, 44],
        known: true,
        steps: found(35, 31, 'A'),
      },
      {
        fields: {
          ...partner,
          description: 'Tall, anchor tattoo on the left forearm',
          handle: 'anchor_84',
          sex: 'M',
          age: 31,
          phone: '+18135550151',
          metOnline: 'yes',
          sourceSpread: 'source',
        },
        met: [120, 60],
        steps: found(34, 26, 'C'),
      },
      {
        fields: {
          ...{ referralBasis: 'S1', namedHow: 're-interview', relation: 'not-a-partner' },
          description: 'Roommate of the second partner, red beard',
          sex: 'M',
        },
        steps: found(20, 17, 'F'),
      },
    ],
  },
  {
    families: ['syphilis'],
    began: 20,
    steps: [
      ...found(19, 16, 'C'),
      giveInterview(16),
      interview(14, { femalePartners: 'yes', femalePartnersInYear: 3, femalePartnersInPeriod: 3 }),
    ],
    named: [
      {
        fields: { ...partner, description: 'Works at the fish market, silver nose ring', sex: 'F', age: 27 },
        met: [80, 25],
        steps: [decide(13), assign(12)],
      },
      {
        fields: {
          ...partner,
          description: 'Rosie, drives a green pickup',
          sex: 'F',
          relation: 'former-partner',
        },
        met: [900, 700],
        steps: found(13, 4, 'H'),
      },
      {
        fields: {
          ...partner,
          description: 'Met at the county fair',
          handle: 'marigold.j',
          sex: 'F',
          metOnline: 'yes',
        },
        met: [50, 50],
        steps: found(13, 11, 'K', { sentToAgency: 'Fulton County Board of Health', sentToNumber: 'FR-2217' }),
      },
    ],
  },
  {
    families: ['gonorrhea'],
    began: 9,
    steps: [...found(9, 5, 'C'), giveInterview(5)],
  },
  { families: ['gonorrhea'], began: 6, steps: [decide(6), assign(5)] },
  { families: ['gonorrhea'], began: 4, steps: [decide(4, 'SF')] },
  { families: ['gonorrhea'], began: 3, steps: [] },
  { families: ['syphilis'], began: 8, steps: [decide(7, 'RSC')] },
  {
    families: ['hiv'],
    began: 30,
    fields: {
      hivStatus: '2',
      hivTested: 'yes',
      hivTestedOn: '-31',
      hivResult: 'positive',
      hivCounselled: 'yes',
      hivCounselledOn: '-28',
    },
    steps: [
      ...found(29, 27, '5'),
      giveInterview(27),
      interview(25, { malePartners: 'yes', malePartnersInYear: 2, malePartnersInPeriod: 2 }),
    ],
    named: [
      {
        fields: { ...partner, relation: 'spouse', description: 'Husband, night shifts', sex: 'M' },
        met: [2900, 33],
        steps: found(24, 20, '3'),
      },
      {
        fields: { ...partner, description: 'Plays in a salsa band', handle: 'timbal_rey', sex: 'M' },
        met: [90, 90],
        steps: [decide(24), assign(2)],
      },
    ],
  },
];

/** Cases of earlier months, all closed: enough for numbers, with an outcome of every kind. */
const closed: readonly Story[] = Array.from({ length: 42 }, (_, n): Story => {
  const began = 45 + 2 * n + ((7 * n) % 5);
  const isHiv = n % 6 === 5;
  const [assigned, held] = [began - 5, began - 5 - [1, 2, 3, 4, 6, 9, 13][n % 7]!];
  const isInterviewed = n % 5 !== 4;
  const outcomes = isHiv
    ? ['3', '5', '6', 'H', '1', '2']
    : ['A', 'C', 'F', 'H', 'C', 'E', 'A', 'J', 'B', 'G'];
  const named = Array.from({ length: isInterviewed ? n % 4 : 0 }, (_, place): Named => {
    const m = 3 * n + place;
    const isPartner = m % 4 !== 3;
    return {
      fields: {
        ...partner,
        ...(isPartner
          ? { referralBasis: ['P1', 'P1', 'P3', 'P1', 'P2'][m % 5]! }
          : { referralBasis: ['S1', 'S2', 'S1', 'S3'][n % 4]!, relation: 'not-a-partner' }),
        ...(n % 4 === 3 && place === 1 && { namedHow: 're-interview' }),
        ...(isPartner && m % 7 === 0 && { sourceSpread: 'source' }),
        description: `${['A neighbor', 'A friend from work', 'Met through an app', 'A roommate'][m % 4]}, ${20 + (m % 23)}`,
        sex: m % 3 ? 'M' : 'F',
      },
      met: [began + 60, began + 8],
      steps: found(held - 1, held - 1 - [2, 3, 5, 8, 12][m % 5]!, outcomes[m % outcomes.length]!),
    };
  });
  return {
    families: isHiv ? ['hiv'] : [['syphilis'], ['gonorrhea']][n % 2]!,
    began,
    steps: [
      ...found(began, assigned, isHiv ? '5' : 'C'),
      giveInterview(assigned),
      isInterviewed
        ? interview(held, {
            ...(n % 2
              ? { malePartners: 'yes', malePartnersInYear: 2 + (n % 4), malePartnersInPeriod: 1 + (n % 3) }
              : {
                  femalePartners: 'yes',
                  femalePartnersInYear: 1 + (n % 3),
                  femalePartnersInPeriod: 1 + (n % 2),
                }),
            ...(n % 4 === 3 && { reinterviewedOn: `-${held - 2}` }),
          })
        : [held, 'recordInterview', { interviewStatus: ['R', 'U', 'J'][n % 3]! }],
      [began - 42, 'closeCase', { caseClosedOn: `-${began - 42}`, closedBy: 'supervisor' }],
    ],
    named,
  };
});

/** Partner services of the newest cases of syphilis, gonorrhea and HIV. */
export async function seedPartnerServices(
  tx: Tx,
  today: string,
  who: { worker: string; supervisor: string },
): Promise<void> {
  const { tenantId } = tx;
  const ago = (days: number) => addDays(today, -days);
  const cases = await tx.rows<{
    id: string;
    family: string;
    patient: string;
    classification: string;
    since: string;
  }>(
    `select c.id, c.disease_family as family, c.patient_id as patient, c.classification, c.created_on::text as since
     from case_report c
     join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
     where c.tenant_id = $1 and c.classification in ('confirmed', 'probable') and p.merged_into is null
       and c.condition_code in ('syphilis-primary', 'syphilis-secondary', 'syphilis-early-latent',
         'syphilis-unknown-stage', 'gonorrhea', 'hiv')
       and (c.disease_family = 'hiv' or not 'hiv' = any (p.disease_families))
     order by c.created_on desc, c.id limit 400`,
    [tenantId],
  );
  const [known] = await tx.rows<{ id: string }>(
    `select p.id from patient p where p.tenant_id = $1 and p.merged_into is null and p.id <> all ($2)
       and not 'hiv' = any (p.disease_families) and p.sex_at_birth = 'M' order by p.id limit 1`,
    [tenantId, cases.map(({ patient }) => patient)],
  );
  /** Replaces days before today, and the people of the demo. */
  const meant = (values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (typeof value !== 'string') return [name, value];
        if (/^-\d+$/.test(value)) return [name, ago(Number(value.slice(1)))];
        return [name, value === 'worker' || value === 'supervisor' ? who[value] : value];
      }),
    );
  const free = [...cases];
  const told = [...stories, ...closed].flatMap((story) => {
    const place = free.findIndex(
      ({ family, since }) => story.families.includes(family) && since <= ago(story.began),
    );
    return place < 0 ? [] : [{ story, of: free.splice(place, 1)[0]! }];
  });
  const records = told.flatMap(({ story, of }, at) => {
    const id = demoId(`partner-service/${tenantId}/${at}`);
    const own = {
      id,
      index: null,
      patient: of.patient as string | null,
      fields: { referralBasis: 'T1', classification: of.classification, ...story.fields },
      // For a probable case, nobody records that the infection was found and treated only now.
      steps: story.steps.map(
        ([days, transition, entered]): Step =>
          of.classification === 'probable' && entered?.disposition === 'C'
            ? [days, transition, { ...entered, disposition: 'E' }]
            : [days, transition, entered ?? {}],
      ),
      began: story.began,
      of,
    };
    const named = (story.named ?? []).map((one, nth) => ({
      id: demoId(`partner-service/${tenantId}/${at}/${nth}`),
      index: id,
      patient: one.known ? (known?.id ?? null) : null,
      fields: {
        ...one.fields,
        ...(one.met && { firstExposedOn: `-${one.met[0]}`, lastExposedOn: `-${one.met[1]}` }),
      },
      steps: one.steps ?? [],
      began: one.steps?.[0]?.[0] ?? 0,
      of,
    }));
    return [own, ...named];
  });
  const fields = Object.entries<Fields[string]>(partnerRecord.fields).filter(
    ([, field]) => field.in === 'column',
  );
  const { calendar } = await calendarOf(tx, tenantId);
  const tasks: NewTask[] = [];
  const rows = records.map(({ id, index, patient, fields: given, steps, began, of }, place) => {
    /** The tasks that wait at the end, by kind. */
    const waiting = new Map<string, NewTask>();
    let subject: Subject = { state: 'NF', values: { index, patient, ...meant(given) } };
    for (const [days, transition, entered = {}] of steps) {
      const actor = { id: who.worker, may: () => true, today: ago(days), now: `${ago(days)}T15:00:00Z` };
      const outcome = act(partnerFlow, subject, transition, meant(entered), actor);
      if (!outcome.done) throw new Error(`${transition}: ${JSON.stringify(outcome.refusals)}`);
      subject = outcome.subject;
      for (const effect of outcome.effects) {
        if ('closeTasks' in effect) waiting.delete(effect.closeTasks);
        if (!('task' in effect)) continue;
        const { task, to, dueDays = 0, working = false, from } = effect;
        const since = ((from && subject.values[from]) || ago(days)) as string;
        const account = to === 'supervisor' ? null : to === 'assignee' ? partnerFlow.assignee! : to.field;
        waiting.set(task, {
          id: demoId(`partner-task/${id}/${task}`),
          record_id: of.id,
          caused_by: id,
          work: task,
          queue: account === null ? 'supervisor' : 'assignee',
          account_id: account === null ? null : (subject.values[account] as string),
          due_on: daysAfter(since, dueDays, working, calendar),
          priority: 'normal',
          made_on: ago(days),
          made_by: who.supervisor,
          transition,
          flow_version: partnerFlow.version,
          made_version: 1,
        });
      }
    }
    // A supervisor has reviewed the earlier ones by hand.
    tasks.push(...[...waiting.values()].filter(({ work, made_on }) => work !== 'review' || made_on > ago(7)));
    const values: Record<string, unknown> = {
      ...subject.values,
      number: numberAt('PS', today, place),
      caseRecord: of.id,
      stage: subject.state,
      createdOn: ago(began),
    };
    return {
      tenant_id: tenantId,
      id,
      told_by: null,
      ...Object.fromEntries(fields.map(([name, field]) => [columnFor(name, field), values[name] ?? null])),
    };
  });
  await loadRows(tx, 'partner_service', rows, 'case_report');
  await passOn(
    tx,
    tenantId,
    'patient',
    records.flatMap(({ patient }) => patient ?? []),
    ['partner_service'],
  );
  await keepFirstVersions(
    tx,
    anyRecord(partnerRecord),
    tenantId,
    records.map(({ id }) => id),
    null,
  );
  await insertTasks(tx, tenantId, 'case_report', tasks);
}
