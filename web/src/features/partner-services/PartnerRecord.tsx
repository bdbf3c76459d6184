import {
  type PartnerService,
  partnerRecord,
  partnersOfCase,
  partnerTimes,
} from '@caseway/contract/partner-services';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { OpenCase, OpenPerson, OpenRecord } from '../../record/OpenRecord.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditPartner } from './EditPartner.tsx';
import { PartnersOf } from './PartnersOf.tsx';
import { partners, usePeriodWords, whoIs } from './partner-words.ts';

const { endpoints } = partnerRecord;
type Name = keyof PartnerService & string;

/** The fields in each part of the screen: always, and if they have values. */
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
  'note',
];
const cases: readonly Name[] = ['caseId', 'condition', 'onsetOn', 'treatedOn'];
const ownCase: readonly Name[] = ['ownCaseId', 'classification'];

/** Partner services for one person: who it is, how they became known, and what was done, by stage. */
export default function PartnerRecord() {
  const { t } = useTranslation('partner-services');
  const period = usePeriodWords();
  return (
    <WholeRecord
      of={partners}
      query={useRecordOfAddress(endpoints.read)}
      lead={(row, text) => [whoIs(row), text('stage'), period.whether(row)]}
      notes={(row) => (row.stage === 'OC' && (row.openContacts ?? 0) > 0 ? <StillOpen row={row} /> : null)}
      edit={(row, handlers) => (
        <EditPartner stored={row} caseId={row.caseRecord} index={row.index} {...handlers} />
      )}
      none={(name) => (name === 'fieldInvestigator' ? t('record.nobody') : undefined)}
      parts={(row, { facts, history }) => {
        const said = (names: readonly Name[]) => names.filter((name) => row[name] !== null);
        /** A part of the screen, if any of its fields has a value. */
        const done = (title: string, names: readonly Name[]) =>
          said(names).length > 0 ? [{ title, content: facts(names) }] : [];
        return [
          ...(row.index === null
            ? [{ content: <PartnersOf caseId={row.caseRecord} title={t('record.named')} /> }]
            : []),
          { title: t('record.referral'), content: facts([...referral, ...said(named)]) },
          ...done(t('record.field'), field),
          ...done(t('record.interview'), interview),
          ...done(t('record.hiv'), hiv),
          history,
          {
            aside: true,
            title: t('record.person'),
            content: (
              <>
                {facts([...(row.patient ? person : []), ...said(personKnown)])}
                <OpenPerson id={row.patient} />
              </>
            ),
          },
          {
            aside: true,
            title: t('record.stage'),
            content: (
              <>
                {facts([...decision, ...said(decided)])}
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
                {facts([...cases, ...said(ownCase)])}
                <OpenCase id={row.caseRecord} number={row.caseId} />
                {row.index ? (
                  <OpenRecord to={`/partner-services/${row.index}`} label={t('record.openIndex')} />
                ) : null}
                <OpenCase id={row.ownCase} number={row.ownCaseId} label={t('record.openOwnCase')} />
              </>
            ),
          },
        ];
      }}
    />
  );
}

/** Who prevents the case from being closed, each a link. */
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

/** How long the search and the interview take or took, and whether that is in time. */
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
