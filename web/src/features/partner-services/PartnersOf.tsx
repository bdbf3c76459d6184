import {
  type PartnerService,
  partnerConditions,
  partnerRecord,
  partnersOfCase,
} from '@caseway/contract/partner-services';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { RecordsOf } from '../../record/RecordsOf.tsx';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { EditPartner } from './EditPartner.tsx';
import { usePartnerWords, usePeriodWords, whoIs } from './partner-words.ts';

/** A case's partner services; nothing for other diseases, and for users who may not read them. */
export function CasePartners({ caseId, condition }: { caseId: string; condition: string }) {
  const { t } = useTranslation('partner-services');
  const isShown = useMay()(partnerRecord.access.read) && partnerConditions.includes(condition);
  return isShown ? <PartnersOf caseId={caseId} title={t('list.title')} isWhole /> : null;
}

/** A case's records: with its own person's, or only the named people's. */
export function PartnersOf({
  caseId,
  title,
  isWhole = false,
}: {
  caseId: string;
  title: string;
  isWhole?: boolean;
}) {
  const { t } = useTranslation('partner-services');
  const query = useApi(partnersOfCase, { params: { id: caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(partnerRecord.access.write);
  const records = query.data?.records ?? [];
  const index = records.find((one) => one.index === null)?.id ?? null;
  return (
    <RecordsOf
      query={query}
      rows={(answer) => answer.records.filter((one) => isWhole || one.index !== null)}
      words={{
        title,
        none: t(isWhole ? 'ofCase.none' : 'ofCase.nobody'),
        add: t(index === null ? 'edit.start' : 'edit.add'),
      }}
      one={(row) => <One key={row.id} row={row} />}
      form={
        mayWrite && query.data
          ? (close) => (
              <EditPartner stored={null} caseId={caseId} index={index} onSaved={close} onClose={close} />
            )
          : undefined
      }
    />
  );
}

function One({ row }: { row: PartnerService }) {
  const { t } = useTranslation('partner-services');
  const words = usePartnerWords();
  const period = usePeriodWords();
  const { dayInWords } = useFormats();
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box component={Link} to={`/partner-services/${row.id}`} sx={{ color: 'primary.main' }}>
        {whoIs(row)}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          words.choice('referralBasis', row.referralBasis),
          words.choice('stage', row.stage),
          row.disposition && words.choice('disposition', row.disposition),
          row.dueOn && t('ofCase.due', { day: dayInWords(row.dueOn) }),
          period.whether(row),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}
