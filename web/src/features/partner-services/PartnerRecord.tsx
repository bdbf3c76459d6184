import {
  type PartnerService,
  partnerRecord,
  partnersOfCase,
  partnerTimes,
} from '@caseway/contract/partner-services';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { CaseField } from '../../record/CaseField.tsx';
import { OpenRecord } from '../../record/OpenRecord.tsx';
import { RecordFacts } from '../../record/RecordFacts.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges, RecordSteps } from '../../record/RecordSteps.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditPartner } from './EditPartner.tsx';
import { PartnersOf } from './PartnersOf.tsx';
import {
  oldPartners,
  partner,
  usePartnerText,
  usePartnerWords,
  usePeriodWords,
  whoIs,
} from './partner-words.ts';

const { endpoints, access } = partnerRecord;
type Name = keyof PartnerService & string;

/** What is in each part of the screen: always, and where there is something to say. */
const referral: readonly Name[] = ['referralBasis', 'indexNumber'];
const named: readonly Name[] = [
  'namedHow',
  'relation',
  'metOnline',
  'firstExposedOn',
  'lastExposedOn',
  'sourceSpread',
];
const decision: readonly Name[] = ['stage', 'dueOn'];
const decided: readonly Name[] = [
  'initialFollowUp',
  'initialFollowUpOn',
  'patientFollowUp',
  'surveillanceClosedOn',
  'caseClosedOn',
  'closedBy',
  'closedOn',
];
const field: readonly Name[] = [
  'fieldInvestigator',
  'disposition',
  'fieldAssignedOn',
  'firstFieldInvestigator',
  'firstFieldAssignedOn',
  'dispositionOn',
  'dispositionBy',
  'supervisor',
  'examOn',
  'examProvider',
  'examFacility',
  'sentToAgency',
  'sentToNumber',
  'sentToDueOn',
  'sentToOutcome',
];
const interview: readonly Name[] = [
  'interviewer',
  'interviewStatus',
  'interviewAssignedOn',
  'firstInterviewer',
  'firstInterviewAssignedOn',
  'interviewedOn',
  'interviewType',
  'interviewPlace',
  'reinterviewedOn',
  'femalePartners',
  'femalePartnersInYear',
  'femalePartnersInPeriod',
  'malePartners',
  'malePartnersInYear',
  'malePartnersInPeriod',
  'transgenderPartners',
  'transgenderPartnersInYear',
  'transgenderPartnersInPeriod',
  'internetElicited',
  'internetFollowUp',
];
const hiv: readonly Name[] = [
  'hivStatus',
  'hivTested',
  'hivTestedOn',
  'hivResult',
  'hivCounselled',
  'hivCounselledOn',
];
const person: readonly Name[] = ['name'];
const personKnown: readonly Name[] = [
  'birthDate',
  'personSex',
  'sex',
  'age',
  'description',
  'handle',
  'phone',
  'county',
  'pregnant',
  'weeksPregnant',
];
const cases: readonly Name[] = ['caseId', 'condition', 'onsetOn', 'treatedOn'];
const ownCase: readonly Name[] = ['ownCaseId', 'classification'];

/** Partner services for one person: who it is, how they were learned of, and stage by stage what was done. */
export default function PartnerRecord() {
  const { t } = useTranslation('partner-services');
  const query = useRecordOfAddress(endpoints.read);
  const words = usePartnerWords();
  const period = usePeriodWords();
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const mayWrite = may(access.write);
  const facts = (row: PartnerService, always: readonly Name[], known: readonly Name[]) => (
    <PartnerFacts row={row} names={[...always, ...known.filter((name) => row[name] !== null)]} />
  );
  /** A part of the screen, as soon as there is something to say in it. */
  const done = (row: PartnerService, title: string, names: readonly Name[]) =>
    names.some((name) => row[name] !== null) ? [{ title, content: facts(row, [], names) }] : [];
  return (
    <RecordScreen
      query={query}
      list="/partner-services"
      words={{ back: t('record.back'), missing: t('record.missing'), failed: t('record.failed') }}
      title={({ number }) => t('record.title', { number })}
      lead={(row) =>
        [whoIs(row), words.choice('stage', row.stage), period.whether(row)].filter(Boolean).join(' · ')
      }
      actions={(row) => (
        <>
          <Steps row={row} />
          {mayWrite ? (
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {t('edit.change')}
            </Button>
          ) : null}
        </>
      )}
      notes={(row) => (
        <>
          {row.stage === 'OC' && (row.openContacts ?? 0) > 0 ? <StillOpen row={row} /> : null}
          {editing ? (
            <EditPartner
              stored={row}
              caseId={row.caseRecord}
              index={row.index}
              onSaved={() => setEditing(false)}
              onClose={() => setEditing(false)}
            />
          ) : null}
        </>
      )}
      parts={(row) => [
        ...(row.index === null
          ? [{ content: <PartnersOf caseId={row.caseRecord} title={t('record.named')} /> }]
          : []),
        { title: t('record.referral'), content: facts(row, referral, named) },
        ...done(row, t('record.field'), field),
        ...done(row, t('record.interview'), interview),
        ...done(row, t('record.hiv'), hiv),
        { title: t('common:history.title'), content: <History row={row} /> },
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(row, row.patient ? person : [], [...personKnown, 'note'])}
              {row.patient && may('patients/read') ? (
                <OpenRecord to={`/patients/${row.patient}`} label={t('record.openPerson')} />
              ) : null}
            </>
          ),
        },
        {
          aside: true,
          title: t('record.stage'),
          content: (
            <>
              {facts(row, decision, decided)}
              <Times row={row} />
            </>
          ),
        },
        {
          aside: true,
          title: t('period.title'),
          content: <Facts facts={[[t('period.title'), period.of(row)]]} />,
        },
        {
          aside: true,
          title: t('record.cases'),
          content: (
            <>
              {facts(row, cases, ownCase)}
              {may('case-reports/read') ? (
                <OpenRecord to={`/case-reports/${row.caseRecord}`} label={t('record.openCase')} />
              ) : null}
              {row.index ? (
                <OpenRecord to={`/partner-services/${row.index}`} label={t('record.openIndex')} />
              ) : null}
              {row.ownCase && row.ownCaseId && may('case-reports/read') ? (
                <OpenRecord to={`/case-reports/${row.ownCase}`} label={t('record.openOwnCase')} />
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

/** Who keeps the case from being closed, each a link. */
function StillOpen({ row }: { row: PartnerService }) {
  const { t } = useTranslation('partner-services');
  const { data } = useApi(partnersOfCase, { params: { id: row.caseRecord } });
  const open = (data?.records ?? []).filter(
    ({ index, stage, disposition }) => index === row.id && stage === 'FF' && disposition === null,
  );
  return (
    <Alert severity="warning">
      {t('open.title')}
      <Box component="ul" sx={{ margin: 0, paddingInlineStart: 5 }}>
        {open.map((one) => (
          <li key={one.id}>
            <Link to={`/partner-services/${one.id}`}>{whoIs(one)}</Link>
          </li>
        ))}
      </Box>
    </Alert>
  );
}

/** How long the search and the interview take or have taken, and whether that is in time. */
function Times({ row }: { row: PartnerService }) {
  const { t } = useTranslation('partner-services');
  const times = partnerTimes(row, useFormats().today);
  return times.length === 0 ? null : (
    <Facts
      facts={times.map(({ what, days, limit, state }) => [
        t(`time.${what}`),
        t(`time.${state}`, { days, limit }),
      ])}
    />
  );
}

function PartnerFacts({ row, names }: { row: PartnerService; names: readonly Name[] }) {
  const words = usePartnerWords();
  const text = usePartnerText(row);
  return <RecordFacts record={partner} row={row} names={names} label={words.column} text={text} />;
}

function History({ row }: { row: PartnerService }) {
  const words = usePartnerWords();
  const text = usePartnerText(row);
  return <RecordChanges record={partner} row={row} words={words} text={text} old={oldPartners} />;
}

/** What can be done in the stage of the record. */
function Steps({ row }: { row: PartnerService }) {
  const words = usePartnerWords();
  const text = usePartnerText(row);
  const { t } = useTranslation('partner-services');
  return (
    <RecordSteps
      record={partner}
      row={row}
      words={words}
      text={text}
      old={oldPartners}
      none={(name) => (name === 'fieldInvestigator' ? t('record.nobody') : undefined)}
      own={{ ownCase: (shown) => <CaseField {...shown} help={t('edit.help.ownCase')} /> }}
    />
  );
}
