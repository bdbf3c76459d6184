import {
  asksWhoIsCase,
  type CsvDateOrder,
  type CsvField,
  type CsvMapping,
  type CsvOptions,
  csvCaseFields,
  csvRequired,
  csvResultFields,
} from '@caseway/contract/csv-mapping';
import {
  checkColumns,
  importMessages,
  readColumns,
  readImport,
  saveColumns,
  type TableColumns,
} from '@caseway/contract/imports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Circle, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { NeedsPermission } from './parts.tsx';
import { useImportWords } from './words.ts';

type Kind = CsvMapping['kind'];
/** From this confidence on, a suggestion is applied automatically. */
const sure = 0.8;
const examplesShown = 3;

const fieldsOf = (kind: Kind): Readonly<Record<string, CsvField>> =>
  kind === 'results' ? csvResultFields : csvCaseFields;

/**
 * The meaning of a table's columns: proposed, corrected by a person, tried, and imported; folded once it is decided.
 */
export function Columns({ importId, decided = false }: { importId: string; decided?: boolean }) {
  const { t } = useTranslation('imports');
  const [open, setOpen] = useState(!decided);
  return (
    <Section
      title={t('columns.title')}
      actions={
        decided ? (
          <Button size="small" variant="outlined" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'columns.hide' : 'columns.show')}
          </Button>
        ) : undefined
      }
    >
      {open ? <Open importId={importId} decided={decided} /> : null}
    </Section>
  );
}

function Open({ importId, decided }: { importId: string; decided: boolean }) {
  const query = useApi(readColumns, { params: { id: importId } }, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <Answered query={query} height={280}>
      {(table) => <Decide importId={importId} table={table} decided={decided} />}
    </Answered>
  );
}

/** The fields that the columns probably mean, each at most once, the surest first. */
function suggested(table: TableColumns, kind: Kind): Record<number, string> {
  const chosen: Record<number, string> = {};
  const taken = new Set<string>();
  for (const { column, field, confidence } of table.suggestions[kind].toSorted(
    (a, b) => b.confidence - a.confidence,
  )) {
    if (field === null || confidence < sure || taken.has(field)) continue;
    taken.add(field);
    chosen[column] = field;
  }
  return chosen;
}

const decidedFields = (table: TableColumns): Record<number, string> =>
  Object.fromEntries(table.mapping.columns.map(({ column, field }) => [column, field]));

/** The changes to the columns that have not been imported yet. */
const draftSchema = z.object({
  kind: z.enum(['results', 'line-list']),
  fields: z.record(z.string(), z.string()),
  orders: z.record(z.string(), z.enum(['mdy', 'dmy'])),
  condition: z.string().nullable(),
  everyRowIsCase: z.boolean(),
});

function Decide({
  importId,
  table,
  decided,
}: {
  importId: string;
  table: TableColumns;
  /** Its rows have been run already. */
  decided: boolean;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const may = useMay();
  const draftName = `imports/${importId}/columns`;
  const [begun] = useState(() => readDraft(draftName, draftSchema));
  const [touched, setTouched] = useState(begun !== null);
  const [kind, setKind] = useState<Kind>(begun?.kind ?? table.mapping.kind);
  const [fields, setFields] = useState<Record<number, string>>(() => begun?.fields ?? decidedFields(table));
  const [orders, setOrders] = useState<Record<string, CsvDateOrder>>(
    begun?.orders ?? table.options.dateOrders,
  );
  const [condition, setCondition] = useState(begun ? begun.condition : (table.options.condition ?? null));
  const [everyRowIsCase, setEveryRowIsCase] = useState(
    begun?.everyRowIsCase ?? table.options.everyRowIsCase ?? false,
  );
  useUnsaved(touched);
  useEffect(() => {
    if (touched)
      saveDraft(draftName, {
        kind,
        fields,
        orders,
        condition,
        everyRowIsCase,
      } satisfies z.infer<typeof draftSchema>);
    else removeDraft(draftName);
  }, [draftName, touched, kind, fields, orders, condition, everyRowIsCase]);
  const { options: conditions } = useLookup('conditions');
  const params = { id: importId };
  const check = useCall(checkColumns);
  const save = useCall(saveColumns, { invalidates: [readImport, importMessages, readColumns] });
  const known = fieldsOf(kind);
  const constants = kind === table.mapping.kind ? table.mapping.constants : {};
  const chosen = new Set([...Object.values(fields), ...Object.keys(constants)]);
  const needsCondition = kind === 'line-list' && !chosen.has('condition');
  const { mayHoldWell } = table;
  const mixed = asksWhoIsCase(kind, chosen, { mayHoldWell });
  const isDate = (column: number) => {
    const field = fields[column];
    return field !== undefined && ['date', 'birth-date'].includes(known[field]?.kind ?? '');
  };
  const undated = table.ambiguousDates.filter(
    (column) => isDate(column) && orders[String(column)] === undefined,
  );
  const missing = csvRequired[kind].filter(
    (group: readonly string[]) => !group.some((field) => chosen.has(field)),
  );
  const ready =
    missing.length === 0 &&
    undated.length === 0 &&
    (!needsCondition || condition !== null) &&
    (!mixed || everyRowIsCase);

  const body = (): { mapping: CsvMapping; options: CsvOptions } => ({
    mapping: {
      kind,
      columns: Object.entries(fields).map(([column, field]) => ({ column: Number(column), field })),
      constants,
    } as CsvMapping,
    options: {
      dateOrders: orders,
      ...(kind === 'line-list' && condition !== null ? { condition } : {}),
      ...(mixed && everyRowIsCase ? { everyRowIsCase } : {}),
    },
  });
  const changed = () => {
    setTouched(true);
    check.reset();
  };
  const choose = (column: number, field: string) => {
    changed();
    setFields((before) => {
      const { [column]: _, ...others } = before;
      return field === '' ? others : { ...others, [column]: field };
    });
  };
  const groups = [...new Set(Object.values(known).map(({ group }) => group))];
  const name = (field: string) => t(`csvField.${field}`);

  if (!may('imports/write')) return <NeedsPermission permission="imports/write" deed={t('access.columns')} />;
  return (
    <>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t(table.remembered ? 'columns.remembered' : 'columns.lead')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <Segments
          label={t('columns.kind')}
          value={kind}
          options={[
            { value: 'results', label: t('columns.results') },
            { value: 'line-list', label: t('columns.lineList') },
          ]}
          onChange={(next) => {
            changed();
            setKind(next);
            setFields(next === table.mapping.kind ? decidedFields(table) : suggested(table, next));
          }}
        />
        {needsCondition ? (
          <ChoiceField
            label={t('columns.condition')}
            placeholder={t('columns.choose')}
            value={conditions.find(({ id }) => id === condition) ?? null}
            options={conditions}
            onChange={(value) => {
              changed();
              setCondition(value?.id ?? null);
            }}
          />
        ) : null}
      </Box>
      <Box>
        <Typography variant="body2" component="h3" sx={{ fontWeight: 550, marginBottom: 1 }}>
          {t('columns.required')}
        </Typography>
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}>
          {csvRequired[kind].map((group: readonly string[]) => {
            const given = group.some((field) => chosen.has(field));
            return (
              <Box component="li" key={group[0]} sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
                <Box
                  component="span"
                  aria-hidden
                  sx={{ display: 'flex', paddingTop: '2px', color: given ? 'success.main' : 'warning.main' }}
                >
                  {given ? <CircleCheck size={16} /> : <Circle size={16} />}
                </Box>
                <span>
                  {group.map(name).join(t('columns.or'))}
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {' '}
                    {t(given ? 'columns.given' : 'columns.missing')}
                  </Box>
                </span>
              </Box>
            );
          })}
        </Box>
      </Box>
      {mixed ? (
        <Box>
          <Typography variant="body2" component="h3" sx={{ fontWeight: 550, marginBottom: 1 }}>
            {t('columns.whoIsCase')}
          </Typography>
          <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
            {t('columns.whoIsCaseText')}
          </Typography>
          <FormControlLabel
            control={
              <Checkbox
                checked={everyRowIsCase}
                onChange={(event) => {
                  changed();
                  setEveryRowIsCase(event.target.checked);
                }}
              />
            }
            label={t('columns.everyRowIsCase')}
          />
        </Box>
      ) : null}
      <Box component="ul" aria-label={t('columns.title')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {table.header.map((header, column) => {
          const suggestion = table.suggestions[kind].find((one) => one.column === column);
          const field = fields[column];
          const examples = [...new Set(table.rows.map((row) => row[column] ?? '').filter(Boolean))].slice(
            0,
            examplesShown,
          );
          const proposal =
            field === undefined && suggestion?.field && !chosen.has(suggestion.field)
              ? suggestion.field
              : null;
          const label = header || t('columns.nameless', { number: column + 1 });
          return (
            <Box
              component="li"
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table are known by their position.
              key={column}
              sx={{
                display: 'grid',
                gridTemplateColumns: {
                  xs: 'minmax(0, 1fr)',
                  md: 'minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr)',
                },
                gap: { xs: 1, md: 3 },
                alignItems: 'start',
                paddingY: 2,
                borderTop: 1,
                borderColor: 'divider',
                '&:first-of-type': { borderTop: 0 },
              }}
            >
              <Typography
                variant="body1"
                sx={{ fontWeight: 550, overflowWrap: 'anywhere', paddingTop: { md: 2 } }}
              >
                {label}
              </Typography>
              <Typography
                variant="body2"
                sx={{ color: 'text.secondary', overflowWrap: 'anywhere', paddingTop: { md: 2 } }}
              >
                {examples.length > 0 ? examples.join(' · ') : t('columns.empty')}
              </Typography>
              <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
                <NativeSelect
                  value={field ?? ''}
                  input={<OutlinedInput />}
                  inputProps={{ 'aria-label': t('columns.meaning', { column: label }) }}
                  onChange={(event) => choose(column, event.target.value)}
                >
                  <option value="">{t('columns.nothing')}</option>
                  {groups.map((group) => (
                    <optgroup key={group} label={t(`csvGroup.${group}`)}>
                      {Object.entries(known)
                        .filter(([, about]) => about.group === group)
                        .map(([one]) => (
                          <option key={one} value={one} disabled={one !== field && chosen.has(one)}>
                            {name(one)}
                          </option>
                        ))}
                    </optgroup>
                  ))}
                </NativeSelect>
                {proposal ? (
                  <Button
                    size="small"
                    variant="text"
                    sx={{ justifySelf: 'start' }}
                    onClick={() => choose(column, proposal)}
                  >
                    {t('columns.probably', { field: name(proposal) })}
                  </Button>
                ) : null}
                {table.ambiguousDates.includes(column) && isDate(column) ? (
                  <NativeSelect
                    value={orders[String(column)] ?? ''}
                    input={<OutlinedInput />}
                    inputProps={{ 'aria-label': t('columns.dateOrder', { column: label }) }}
                    onChange={(event) => {
                      changed();
                      const order = event.target.value as CsvDateOrder | '';
                      setOrders(({ [String(column)]: _, ...others }) =>
                        order === '' ? others : { ...others, [String(column)]: order },
                      );
                    }}
                  >
                    <option value="">{t('columns.orderNone')}</option>
                    <option value="mdy">{t('columns.mdy')}</option>
                    <option value="dmy">{t('columns.dmy')}</option>
                  </NativeSelect>
                ) : null}
              </Box>
            </Box>
          );
        })}
      </Box>
      <Box role="status" sx={{ display: 'grid', gap: 2 }}>
        {check.data ? (
          <>
            {check.data.undecided.length > 0 ? (
              <Alert severity="warning">
                {check.data.undecided.map((fault) => (
                  <div key={`${fault.place}:${fault.code}`}>
                    {fault.place === 'file' ? '' : `${fault.place}: `}
                    {words.fault(fault)}
                  </div>
                ))}
              </Alert>
            ) : (
              <Alert severity={check.data.readable === check.data.rows ? 'success' : 'warning'}>
                {t('columns.readable', {
                  count: check.data.rows,
                  readable: formats.count(check.data.readable),
                  rows: formats.count(check.data.rows),
                })}
              </Alert>
            )}
            {check.data.faults.length > 0 ? (
              <Box component="ul" sx={{ margin: 0, paddingLeft: 5, display: 'grid', gap: 1 }}>
                {check.data.faults.map(({ place, code, severity, message, n }) => (
                  <li key={`${place}:${code}:${severity}`}>
                    <Box component="span" sx={{ fontWeight: 550 }}>
                      {t(`severity.${severity}`)}
                    </Box>{' '}
                    <Typography variant="mono" component="span">
                      {place}
                    </Typography>{' '}
                    {words.fault({ code, message })}{' '}
                    <Box component="span" sx={{ color: 'text.secondary' }}>
                      {t('columns.times', { count: n, number: formats.count(n) })}
                    </Box>
                  </li>
                ))}
              </Box>
            ) : null}
          </>
        ) : null}
        {(check.error ?? save.error) ? (
          <Alert severity="error">{t(`common:error.${(check.error ?? save.error)!.code}`)}</Alert>
        ) : null}
        {ready ? null : <Alert severity="info">{t('columns.notReady')}</Alert>}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button
          variant="outlined"
          loading={check.isPending}
          onClick={() => {
            save.reset();
            check.mutate({ params, body: body() });
          }}
        >
          {t('columns.check')}
        </Button>
        <Button
          variant="contained"
          disabled={!ready}
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              { params, body: body() },
              {
                onSuccess: ({ queued }) => {
                  setTouched(false);
                  if (queued === 0) notify('success', 'imports:columns.rememberedNow');
                  else
                    notify('success', 'imports:columns.saved', {
                      values: { count: queued, number: formats.count(queued) },
                    });
                },
              },
            )
          }
        >
          {t(decided ? 'columns.remember' : 'columns.run')}
        </Button>
      </Box>
    </>
  );
}
