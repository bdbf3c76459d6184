import type { Expression } from '@caseway/contract/expression';
import { type Form, type Item, type ItemType, type Option, optionsOf, walk } from '@caseway/contract/form';
import { type Labelled, labelIn } from '@caseway/contract/label';
import type { Language } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { newId } from '../../record/new-id.ts';
import { Restored } from '../../record/Restored.tsx';
import { removeDraft } from '../../session/drafts.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { useDraft } from '../../session/use-draft.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { languageNames } from '../../words/i18n.ts';

/** The types of a tenant's own question. */
const types = [
  'choice',
  'choices',
  'boolean',
  'text',
  'long',
  'date',
  'integer',
  'quantity',
] as const satisfies ItemType[];
const isChoosing = (type: ItemType) => type === 'choice' || type === 'choices';

const textsByLanguage = z.record(z.string(), z.string());
type Texts = z.infer<typeof textsByLanguage>;
/** British and American readers share one text. */
const written = (languages: readonly string[]) => [
  ...new Set(languages.map((language) => (language.startsWith('en') ? 'en' : language))),
];
const textsOf = (words: Labelled | undefined, languages: readonly string[]): Texts =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      (language === 'en' ? words?.label : words?.labelI18N?.[language]) ?? '',
    ]),
  );
const wordsOf = (texts: Texts): Labelled => {
  const trimmed = Object.entries(texts).map(([language, text]) => [language, text.trim()] as const);
  return {
    label: texts.en?.trim() ?? trimmed[0]![1],
    labelI18N: Object.fromEntries(trimmed.filter(([language]) => language !== 'en')),
  };
};
const isWhole = (texts: Texts) => Object.values(texts).every((text) => text.trim() !== '');

/** A question as it is typed. */
const typed = z.object({
  texts: textsByLanguage,
  type: z.enum(types),
  answers: z.array(
    z.object({ code: z.string(), texts: textsByLanguage, published: z.boolean(), retired: z.boolean() }),
  ),
  required: z.boolean(),
  when: z.object({ on: z.string(), answer: z.string() }),
});
type Typed = z.infer<typeof typed>;
type Answer = Typed['answers'][number];

/** The questions that one after this item can depend on: those before it. */
function earlierThan(form: Form, at: string, own: string | undefined): Item[] {
  const before: Item[] = [];
  for (const item of walk(form.items)) {
    if (item.linkId === own) break;
    const inRow = form.items.some(({ items = [] }) =>
      items.some((group) => group.repeats && walk(group.items ?? []).includes(item)),
    );
    if (
      !inRow &&
      !item.retired &&
      item.family === undefined &&
      (isChoosing(item.type) || item.type === 'boolean') &&
      item.field === undefined
    )
      before.push(item);
    if (item.linkId === at && own === undefined) break;
  }
  return before;
}

/** A condition on a question and one of its answers. */
const asCondition = (on: Item, answer: string): Expression =>
  on.type === 'choices'
    ? { field: on.linkId, has: [answer] }
    : { field: on.linkId, is: on.type === 'boolean' ? answer === 'true' : answer };
const fromCondition = (when: Expression | undefined): { on: string; answer: string } => {
  if (!when || !('field' in when)) return { on: '', answer: '' };
  if ('is' in when) return { on: when.field, answer: String(when.is) };
  return { on: when.field, answer: 'has' in when ? String(when.has[0]) : '' };
};

/** A tenant's own question: its texts in every language, its answers, and when it is asked. */
export function EditQuestion({
  form,
  at,
  item,
  fixed,
  languages,
  onDone,
  onClose,
}: {
  form: Form;
  /** The item it comes after. */
  at: string;
  /** Null for a new one. */
  item: Item | null;
  /** It is published, so its type is fixed and its answers can only be retired. */
  fixed: boolean;
  languages: readonly string[];
  onDone: (item: Item) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('settings');
  const id = useId();
  const asked = written(languages);
  const blank = textsOf(undefined, asked);
  const [first] = useState((): Typed => {
    const unwritten = { texts: blank, published: false, retired: false };
    return {
      texts: textsOf(item?.words, asked),
      type: types.find((one) => one === item?.type) ?? 'choice',
      answers: item
        ? optionsOf(form, item).map(({ code, words, retired = false }) => ({
            code,
            texts: textsOf(words, asked),
            published: fixed,
            retired,
          }))
        : [
            { code: newCode(), ...unwritten },
            { code: newCode(), ...unwritten },
          ],
      required: item?.required === true,
      when: fromCondition(item?.when),
    };
  });
  // A draft in other languages would lack a text.
  const draftName = `settings/forms/${form.id}/${item?.linkId ?? `after ${at}`}/${asked.join(' ')}`;
  const [draft, setDraft] = useDraft(draftName, typed);
  const [restored, setRestored] = useState(draft !== null);
  const { texts, type, answers, required, when } = draft ?? first;
  const change = (changed: Partial<Typed>) => setDraft((now) => ({ ...(now ?? first), ...changed }));
  const [tried, setTried] = useState(false);
  useUnsaved(draft !== null);
  const earlier = earlierThan(form, at, item?.linkId);
  const on = earlier.find(({ linkId }) => linkId === when.on);
  const wanting = tried ? t('common:fault.required') : undefined;
  const choosing = isChoosing(type);
  const isComplete =
    isWhole(texts) &&
    (!choosing || (answers.some(({ retired }) => !retired) && answers.every((one) => isWhole(one.texts)))) &&
    (!on || when.answer !== '');
  const changeAnswer = (code: string, changed: Partial<Answer>) =>
    change({ answers: answers.map((one) => (one.code === code ? { ...one, ...changed } : one)) });

  const input = (
    key: string,
    label: string,
    value: string,
    language: string,
    onChange: (text: string) => void,
  ) => (
    <Field
      key={key}
      id={`${id}-${key}`}
      label={label}
      required
      fault={value.trim() === '' ? wanting : undefined}
    >
      {({ describedBy, invalid }) => (
        <OutlinedInput
          id={`${id}-${key}`}
          value={value}
          error={invalid}
          onChange={(event) => onChange(event.target.value)}
          inputProps={{
            lang: language,
            maxLength: 500,
            'aria-describedby': describedBy,
            'aria-invalid': invalid,
          }}
        />
      )}
    </Field>
  );
  const nameOf = (language: string) => languageNames[language as Language];
  const select = (
    key: string,
    label: string,
    value: string,
    options: readonly (readonly [code: string, words: string])[],
    onChange: (value: string) => void,
    more: { disabled?: boolean; fault?: string | undefined; help?: string } = {},
  ) => (
    <Field id={`${id}-${key}`} label={label} required fault={more.fault} help={more.help}>
      {({ describedBy, invalid }) => (
        <NativeSelect
          value={value}
          disabled={more.disabled ?? false}
          onChange={(event) => onChange(event.target.value)}
          input={<OutlinedInput fullWidth error={invalid} />}
          inputProps={{ id: `${id}-${key}`, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        >
          {options.map(([code, said]) => (
            <option key={code} value={code}>
              {said}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );

  return (
    <FormDialog
      wide
      title={
        item ? t('forms.changeOf', { question: labelIn(item.words, i18n.language) }) : t('forms.newTitle')
      }
      submit={t('forms.take')}
      busy={false}
      onClose={() => {
        removeDraft(draftName);
        onClose();
      }}
      onSubmit={() => {
        setTried(true);
        if (!isComplete) return;
        removeDraft(draftName);
        onDone({
          linkId: item?.linkId ?? `x-${newId().slice(-12)}`,
          type,
          words: wordsOf(texts),
          ...(choosing && {
            answers: answers.map(
              ({ code, texts: said, retired }): Option => ({
                code,
                words: wordsOf(said),
                ...(retired && { retired }),
              }),
            ),
          }),
          ...(on && { when: asCondition(on, when.answer) }),
          ...(required && { required }),
        });
      }}
    >
      {restored && draft ? (
        <Restored
          onDiscard={() => {
            setRestored(false);
            setDraft(null);
          }}
        />
      ) : null}
      {asked.map((language) =>
        input(
          `q-${language}`,
          t('forms.questionIn', { language: nameOf(language) }),
          texts[language] ?? '',
          language,
          (text) => change({ texts: { ...texts, [language]: text } }),
        ),
      )}
      {select(
        'type',
        t('forms.kind'),
        type,
        types.map((one) => [one, t(`forms.type.${one}`)]),
        (next) => change({ type: next as Typed['type'] }),
        { disabled: fixed, ...(fixed && { help: t('forms.kindFixed') }) },
      )}
      {choosing ? (
        <Box
          component="fieldset"
          sx={{ border: 0, margin: 0, padding: 0, minWidth: 0, display: 'grid', gap: 3 }}
        >
          <Typography
            component="legend"
            variant="body2"
            sx={{ fontWeight: 650, padding: 0, marginBottom: 2 }}
          >
            {t('forms.answers')}
          </Typography>
          {answers.map((one, index) => (
            <Box
              key={one.code}
              component="fieldset"
              disabled={one.retired}
              sx={{
                border: 1,
                borderColor: 'divider',
                borderRadius: 2,
                margin: 0,
                padding: 3,
                minWidth: 0,
                display: 'grid',
                gap: 2,
                gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: `repeat(${asked.length}, minmax(0, 1fr))` },
              }}
            >
              <Typography component="legend" variant="caption" sx={{ color: 'text.secondary', paddingX: 1 }}>
                {[t('forms.answer', { number: index + 1 }), one.retired ? t('forms.retired') : '']
                  .filter(Boolean)
                  .join(' · ')}
              </Typography>
              {asked.map((language) =>
                input(
                  `${one.code}-${language}`,
                  nameOf(language),
                  one.texts[language] ?? '',
                  language,
                  (text) => changeAnswer(one.code, { texts: { ...one.texts, [language]: text } }),
                ),
              )}
              {one.retired ? null : (
                <Box sx={{ gridColumn: '1 / -1' }}>
                  <Button
                    size="small"
                    variant="text"
                    startIcon={<Trash2 size={14} aria-hidden />}
                    aria-label={t(one.published ? 'forms.retireAnswer' : 'forms.removeAnswer', {
                      number: index + 1,
                    })}
                    onClick={() =>
                      one.published
                        ? changeAnswer(one.code, { retired: true })
                        : change({ answers: answers.filter(({ code }) => code !== one.code) })
                    }
                  >
                    {t(one.published ? 'forms.retire' : 'forms.remove')}
                  </Button>
                </Box>
              )}
            </Box>
          ))}
          <Box>
            <Button
              size="small"
              variant="outlined"
              startIcon={<Plus size={14} aria-hidden />}
              onClick={() =>
                change({
                  answers: [...answers, { code: newCode(), texts: blank, published: false, retired: false }],
                })
              }
            >
              {t('forms.addAnswer')}
            </Button>
          </Box>
        </Box>
      ) : null}
      {select(
        'when',
        t('forms.when'),
        on?.linkId ?? '',
        [
          ['', t('forms.always')],
          ...earlier.map((one): [string, string] => [one.linkId, labelIn(one.words, i18n.language)]),
        ],
        (next) => change({ when: { on: next, answer: '' } }),
        { help: t('forms.whenHelp') },
      )}
      {on
        ? select(
            'answer',
            t('forms.whenAnswer'),
            when.answer,
            [
              ['', t('forms.choose')],
              ...(on.type === 'boolean'
                ? ([
                    ['true', t('common:answers.yes')],
                    ['false', t('common:answers.no')],
                  ] as const)
                : optionsOf(form, on).map(
                    ({ code, words }) => [code, labelIn(words, i18n.language)] as const,
                  )),
            ],
            (answer) => change({ when: { ...when, answer } }),
            { fault: when.answer === '' ? wanting : undefined },
          )
        : null}
      <FormControlLabel
        label={t('forms.required')}
        control={<Checkbox checked={required} onChange={(_, next) => change({ required: next })} />}
      />
    </FormDialog>
  );
}

/** An answer's permanent code. */
const newCode = (): string => newId().slice(-8);
