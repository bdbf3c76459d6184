import {
  asksCondition,
  asksWhoIsCase,
  type CsvField,
  type CsvKind,
  type CsvMapping,
  type CsvOptions,
  csvFields,
  csvKinds,
  csvRequired,
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
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi, useApi, useCall } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { FormBody } from '../../record/FormBody.tsx';
import type { FormValues } from '../../record/form-values.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { NeedsPermission } from './parts.tsx';
import { RowsPreview } from './RowsPreview.tsx';
import { useImportWords } from './words.ts';

/** Suggestions of at least this confidence are applied automatically. */
const sure = 0.8;
const examplesShown = 3;

const fieldsOf: Readonly<Record<CsvKind, Readonly<Record<string, CsvField>>>> = csvFields;

/**
 * The meaning of a table's columns: proposed, corrected by a user, tried, and imported; collapsed once
 * decided.
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
      {(table) => <Decide importId={importId} table={table} readAt={query.dataUpdatedAt} decided={decided} />}
    </Answered>
  );
}

/** The fields that columns probably mean, each at most once, the most certain first. */
function suggested(table: TableColumns, kind: CsvKind): Record<number, string> {
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

/** A table's mapping as form values: each column and each date order separately. */
const valuesOf = (table: TableColumns): FormValues => {
  const { mapping, options, header } = table;
  const fields = decidedFields(table);
  return {
    kind: mapping.kind,
    condition: options.condition ?? '',
    everyRowIsCase: options.everyRowIsCase ?? false,
    ...Object.fromEntries(
      header.flatMap((_, column) => [
        [`column/${column}`, fields[column] ?? ''],
        [`order/${column}`, options.dateOrders[String(column)] ?? ''],
      ]),
    ),
  };
};

/** The columns with a value in a form, and that value. */
const saidIn = (values: Readonly<FormValues>, of: 'column' | 'order'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const [part, column] = name.split('/');
      return part === of && value !== '' ? [[column!, String(value)]] : [];
    }),
  );
const formOfColumns = z.looseObject({}) as unknown as z.ZodType<unknown, FormValues>;

function Decide({
  importId,
  table,
  readAt,
  decided,
}: {
  importId: string;
  table: TableColumns;
  /** When it was read, because decisions have no version. */
  readAt: number;
  /** Its rows have already been processed. */
  decided: boolean;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const may = useMay();
  const { options: conditions } = useLookup('conditions');
  const params = { id: importId };
  const check = useCall(checkColumns);
  const old = [readImport, importMessages, readColumns];
  const save = useCall(saveColumns, { invalidates: old });
  const name = (field: string) => t(`csvField.${field}`);
  const headings = table.header.map(
    (header, column) => header || t('columns.nameless', { number: column + 1 }),
  );
  const told = ({ queued }: { queued: number }) =>
    queued === 0
      ? notify('success', 'imports:columns.rememberedNow')
      : notify('success', 'imports:columns.saved', {
          values: { count: queued, number: formats.count(queued) },
        });
  /**
   * Processed rows stay; a mapping that is only remembered for the next table is undone by restoring the
   * earlier decision.
   */
  const toldOfChange = (saved: { queued: number; values: FormValues }, earlier: FormValues) =>
    saved.queued > 0
      ? told(saved)
      : offerUndo(
          'imports:columns.rememberedNow',
          () =>
            callApi(saveColumns, {
              params,
              body: { ...decisionOf(earlier), before: decisionOf(saved.values) },
            }),
          { old },
        );
  const decisionOf = (parts: FormValues): { mapping: CsvMapping; options: CsvOptions } => {
    const of = parts.kind as CsvKind;
    const constants = of === table.mapping.kind ? table.mapping.constants : {};
    const columns = Object.entries(saidIn(parts, 'column')).map(([column, field]) => ({
      column: Number(column),
      field,
    }));
    const given = new Set([...columns.map(({ field }) => field), ...Object.keys(constants)]);
    return {
      mapping: { kind: of, columns, constants } as CsvMapping,
      options: {
        dateOrders: saidIn(parts, 'order') as CsvOptions['dateOrders'],
        ...(of !== 'results' && parts.condition !== '' ? { condition: String(parts.condition) } : {}),
        ...(asksWhoIsCase(of, given, { mayHoldWell: table.mayHoldWell }) && parts.everyRowIsCase === true
          ? { everyRowIsCase: true }
          : {}),
      },
    };
  };
  /** As last read: a decision is sent with the one before it. */
  const before = useRef({ mapping: table.mapping, options: table.options });
  const write = (parts: FormValues) =>
    save.mutateAsync({ params, body: { ...decisionOf(parts), before: before.current } });
  const editing = useRecordForm<FormValues, { queued: number; values: FormValues }>(
    formOfColumns,
    `imports/${importId}/columns`,
    { version: readAt, values: valuesOf(table) },
    {
      write: async (changes, _, base) => {
        const values = { ...base, ...(changes as FormValues) };
        return { ...(await write(values)), values };
      },
      read: async () => {
        const now = await callApi(readColumns, { params });
        before.current = { mapping: now.mapping, options: now.options };
        return { version: Date.now(), values: valuesOf(now) };
      },
      versionOf: ({ values: saved }) => {
        before.current = decisionOf(saved);
        return { version: Date.now(), values: saved };
      },
      onSaved: (saved, { values: earlier }) => toldOfChange(saved, earlier),
    },
  );
  const { values, dirty } = editing;
  useEffect(() => {
    if (!dirty) before.current = { mapping: table.mapping, options: table.options };
  }, [table, dirty]);
  const kind = values.kind as CsvKind;
  const condition = String(values.condition) || null;
  const everyRowIsCase = values.everyRowIsCase === true;
  const fields = saidIn(values, 'column');
  const orders = saidIn(values, 'order');
  const labels: Record<string, string> = {
    kind: t('columns.kind'),
    condition: t('columns.condition'),
    everyRowIsCase: t('columns.whoIsCase'),
    ...Object.fromEntries(
      headings.flatMap((heading, column) => [
        [`column/${column}`, heading],
        [`order/${column}`, t('columns.dateOrder', { column: heading })],
      ]),
    ),
  };
  const text = (part: string, value: unknown): string => {
    if (part === 'kind') return t(`columns.row.${String(value)}`);
    if (part === 'condition') return conditions.find(({ id }) => id === value)?.label ?? '';
    if (part === 'everyRowIsCase') return value ? t('columns.everyRowIsCase') : '';
    if (value === '') return '';
    return part.startsWith('order/') ? t(`columns.${String(value)}`) : name(String(value));
  };
  const known = fieldsOf[kind];
  const constants = kind === table.mapping.kind ? table.mapping.constants : {};
  const chosen = new Set([...Object.values(fields), ...Object.keys(constants)]);
  const needsCondition = asksCondition(kind, chosen);
  const { mayHoldWell } = table;
  const mixed = asksWhoIsCase(kind, chosen, { mayHoldWell });
  const isDate = (column: number) => {
    const field = fields[String(column)];
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

  const change = (part: string, value: FormValues[string]) => {
    editing.form.setValue(part, value, { shouldDirty: true });
    check.reset();
  };
  const choose = (column: number, field: string) => change(`column/${column}`, field);
  // A refusal of changed values is shown above.
  const refusal = check.error ?? (dirty ? null : save.error);
  const groups = [...new Set(Object.values(known).map(({ group }) => group))];

  if (!may('imports/write')) return <NeedsPermission permission="imports/write" deed={t('access.columns')} />;
  return (
    <>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t(table.remembered ? 'columns.remembered' : 'columns.lead')}
      </Typography>
      <FormBody of={editing} labels={labels} text={text} />
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
          options={csvKinds.map((value) => ({ value, label: t(`columns.row.${value}`) }))}
          onChange={(next) => {
            change('kind', next);
            const now = next === table.mapping.kind ? decidedFields(table) : suggested(table, next);
            for (const column of table.header.keys()) choose(column, now[column] ?? '');
          }}
        />
        {needsCondition ? (
          <ChoiceField
            label={t('columns.condition')}
            placeholder={t('columns.choose')}
            value={conditions.find(({ id }) => id === condition) ?? null}
            options={conditions}
            onChange={(value) => {
              change('condition', value?.id ?? '');
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
                onChange={(event) => change('everyRowIsCase', event.target.checked)}
              />
            }
            label={t('columns.everyRowIsCase')}
          />
        </Box>
      ) : null}
      <Box component="ul" aria-label={t('columns.title')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {table.header.map((_, column) => {
          const suggestion = table.suggestions[kind].find((one) => one.column === column);
          const field = fields[String(column)];
          const examples = [...new Set(table.rows.map((row) => row[column] ?? '').filter(Boolean))].slice(
            0,
            examplesShown,
          );
          const proposal =
            field === undefined && suggestion?.field && !chosen.has(suggestion.field)
              ? suggestion.field
              : null;
          const label = headings[column]!;
          return (
            <Box
              component="li"
              // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns are identified by position.
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
                    onChange={(event) => change(`order/${column}`, event.target.value)}
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
            {check.data.preview.length > 0 ? <RowsPreview rows={check.data.preview} /> : null}
          </>
        ) : null}
        {refusal ? <Alert severity="error">{t(`common:error.${refusal.code}`)}</Alert> : null}
        {ready ? null : <Alert severity="info">{t('columns.notReady')}</Alert>}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button
          variant="outlined"
          loading={check.isPending}
          onClick={() => {
            save.reset();
            check.mutate({ params, body: decisionOf(values) });
          }}
        >
          {t('columns.check')}
        </Button>
        <Button
          variant="contained"
          disabled={!ready}
          loading={save.isPending}
          onClick={() => void editing.send(() => void write(values).then(told, () => {}))()}
        >
          {t(decided ? 'columns.remember' : 'columns.run')}
        </Button>
      </Box>
    </>
  );
}
