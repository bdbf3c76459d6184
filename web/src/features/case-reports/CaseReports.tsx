import { caseRecord } from '@caseway/contract/case-record';
import { type CaseReportRow, caseReportGrid } from '@caseway/contract/case-reports';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { part, useAhead } from '../../loading/part.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { timelineWords } from '../../record/timeline-words.ts';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { WithPanel } from '../../ui/WithPanel.tsx';
import { openedFrom } from '../../view/list-place.ts';
import { useOwnGrid } from '../../view/own-grid.ts';
import { useGrid } from '../../view/use-grid.ts';
import { loadWords } from '../../words/i18n.ts';
import { faultKey, shownCases, useCaseWords } from './case-words.ts';
import { CaseMark } from './marks.tsx';
import { OpenGlassButton } from './OpenGlassButton.tsx';

const cases = bulkRecord(caseRecord);
const loadPanel = async () => {
  const [panel] = await Promise.all([import('./CasePanel.tsx'), loadWords(timelineWords)]);
  return panel;
};
const CasePanel = part('case-panel', loadPanel);

/** The list of case reports, with the open record next to it. `waiting`: notices about waiting work. */
export function CaseReports({ waiting }: { waiting: ReactNode }) {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  const may = useMay();
  const grid = useOwnGrid(caseReportGrid);
  const state = useGrid(grid);
  const { view } = state;
  // A narrow screen has no room for both, so a row opens its record's screen.
  const wide = useMediaQuery(useTheme().breakpoints.up('lg'));
  const [opened, setOpened] = useState<string | null>(null);
  const openId = wide ? opened : null;
  const close = () => setOpened(null);
  const { page, pageSize } = view.paginationModel;
  const from = openedFrom(
    grid.id,
    page * pageSize +
      Math.max(
        0,
        state.rows.findIndex(({ id }) => id === openId),
      ),
  );
  useAhead(loadPanel);
  const many = useMany<CaseReportRow>(cases, state, {
    ...words,
    nameOf: ({ caseId }) => caseId,
    none: () => t('record.nobody'),
    faultKey,
  });
  const cells = useMemo(
    () => ({
      classification: (row: CaseReportRow) => (
        <CaseMark kind={row.classification}>{words.choice('classification', row.classification)}</CaseMark>
      ),
      ...Object.fromEntries(
        caseAnswerColumns.map(({ name }) => [
          name,
          ({ answers }: CaseReportRow) => {
            const code = answers[name];
            return code === undefined ? '' : words.choice(name, code);
          },
        ]),
      ),
    }),
    [words],
  );

  return (
    <RecordList
      actions={
        <>
          {waiting}
          <OpenGlassButton />
        </>
      }
      grid={grid}
      state={state}
      words={words}
      edits={shownCases}
      {...(wide ? { onOpen: (row: CaseReportRow) => setOpened(row.id), openId } : {})}
      cells={cells}
      {...many}
      empty={
        may('imports/write') ? (
          <Button variant="outlined" component={Link} to="/imports">
            {t('empty.import')}
          </Button>
        ) : null
      }
      around={(list) => (
        <WithPanel
          onClose={close}
          panel={
            openId === null ? null : (
              <Suspense fallback={<SidePanel title={t('panel.title')} onClose={close} />}>
                <CasePanel id={openId} from={from} onClose={close} />
              </Suspense>
            )
          }
        >
          {list}
        </WithPanel>
      )}
    />
  );
}
