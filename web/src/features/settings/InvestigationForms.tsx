import { extended, type Form, type FormExtension, type Item, mayHide, walk } from '@caseway/contract/form';
import { extensionBody } from '@caseway/contract/form-sent';
import { type PublishedForm, publishForm, readForms } from '@caseway/contract/form-settings';
import { labelIn } from '@caseway/contract/label';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { FormSections } from '../../record/form/FormSections.tsx';
import { type FormValues, valuesOf } from '../../record/form/form-values.ts';
import { notify } from '../../session/notify.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { useDraft } from '../../session/use-draft.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditQuestion } from './EditQuestion.tsx';

type Extension = Pick<FormExtension, 'after' | 'hidden'>;
const draftSchema = z.object({ version: z.number(), extension: extensionBody });
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The investigation forms: the tenant's own questions, and those it hides. */
export function InvestigationForms() {
  const { t } = useTranslation('settings');
  const query = useApi(readForms);
  return (
    <Answered query={query} height={420}>
      {({ forms, languages }) =>
        forms.length === 0 ? (
          <Typography variant="body2">{t('forms.none')}</Typography>
        ) : (
          forms.map((one) => <EditForm key={one.form.id} published={one} languages={languages} />)
        )
      }
    </Answered>
  );
}

/** A tenant's questions after an item, with one added, changed or removed. */
const withQuestion = ({ after, hidden }: Extension, at: string, item: Item): Extension => {
  const there = after[at] ?? [];
  const known = there.some(({ linkId }) => linkId === item.linkId);
  return {
    hidden,
    after: {
      ...after,
      [at]: known ? there.map((one) => (one.linkId === item.linkId ? item : one)) : [...there, item],
    },
  };
};
const withoutQuestion = ({ after, hidden }: Extension, linkId: string): Extension => ({
  hidden,
  after: Object.fromEntries(
    Object.entries(after)
      .map(([at, items]) => [at, items.filter((one) => one.linkId !== linkId)] as const)
      .filter(([, items]) => items.length > 0),
  ),
});

function EditForm({ published, languages }: { published: PublishedForm; languages: readonly string[] }) {
  const { t, i18n } = useTranslation(['settings', 'common']);
  const { form, version, extension: stored } = published;
  const [draft, setDraft] = useDraft(`settings/forms/${form.id}`, draftSchema);
  const [edited, setEdited] = useState<{ at: string; item: Item | null } | null>(null);
  const [view, setView] = useState<'questions' | 'preview'>('questions');
  const [asking, setAsking] = useState(false);
  const call = useCall(publishForm, { invalidates: [readForms] });
  const extension = draft?.extension ?? stored;
  const dirty = !same(extension, stored);
  const overtaken = draft !== null && draft.version !== version;
  useUnsaved(dirty);
  const change = (next: Extension) =>
    setDraft(same(next, stored) ? null : { version: draft?.version ?? version, extension: next });
  const isPublished = (linkId: string) =>
    walk(Object.values(stored.after).flat()).some((one) => one.linkId === linkId);
  const label = ({ words }: Item) => labelIn(words, i18n.language);
  const asked = extended(form, extension);

  return (
    <Section title={labelIn(form.title, i18n.language)}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('forms.lead')}
      </Typography>
      <Segments
        label={t('forms.view')}
        value={view}
        onChange={setView}
        options={(['questions', 'preview'] as const).map((value) => ({ value, label: t(`forms.${value}`) }))}
      />
      {overtaken ? <Alert severity="warning">{t('forms.overtaken')}</Alert> : null}
      {view === 'preview' ? (
        <Preview key={JSON.stringify(extension)} form={asked} />
      ) : (
        asked.items.map((section) => (
          <Box
            key={section.linkId}
            component="section"
            aria-label={label(section)}
            sx={{ display: 'grid', gap: 1 }}
          >
            <Typography variant="body1" component="h3" sx={{ fontWeight: 650 }}>
              {label(section)}
            </Typography>
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {(section.items ?? []).map((item) => {
                const own = item.linkId.startsWith('x-');
                const hidden = extension.hidden.includes(item.linkId);
                // A tenant's own question is grouped with those after the same item.
                const at = own
                  ? Object.keys(extension.after).find((id) =>
                      extension.after[id]!.some((one) => one.linkId === item.linkId),
                    )!
                  : item.linkId;
                return (
                  <Box
                    key={item.linkId}
                    component="li"
                    sx={{
                      display: 'flex',
                      flexWrap: 'wrap',
                      alignItems: 'center',
                      gap: 2,
                      paddingY: 1.5,
                      borderTop: 1,
                      borderColor: 'divider',
                    }}
                  >
                    <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
                      <Typography
                        variant="body1"
                        sx={{
                          overflowWrap: 'anywhere',
                          ...(item.retired && { color: 'text.secondary', textDecoration: 'line-through' }),
                        }}
                      >
                        {label(item)}
                      </Typography>
                      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                        {[
                          t(`forms.type.${item.type}`),
                          item.retired ? t(own ? 'forms.retired' : 'forms.hidden') : '',
                        ]
                          .filter(Boolean)
                          .join(' · ')}
                      </Typography>
                    </Box>
                    {own ? <Chip size="small" label={t('forms.own')} /> : null}
                    {own && !item.retired ? (
                      <>
                        <Button
                          size="small"
                          variant="text"
                          aria-label={t('forms.changeOf', { question: label(item) })}
                          onClick={() => setEdited({ at, item })}
                        >
                          {t('forms.change')}
                        </Button>
                        {isPublished(item.linkId) ? (
                          <Button
                            size="small"
                            variant="text"
                            aria-label={t('forms.retireOf', { question: label(item) })}
                            onClick={() => change(withQuestion(extension, at, { ...item, retired: true }))}
                          >
                            {t('forms.retire')}
                          </Button>
                        ) : (
                          <Button
                            size="small"
                            variant="text"
                            aria-label={t('forms.removeOf', { question: label(item) })}
                            onClick={() => change(withoutQuestion(extension, item.linkId))}
                          >
                            {t('forms.remove')}
                          </Button>
                        )}
                      </>
                    ) : null}
                    {hidden || mayHide(asked, item.linkId) ? (
                      <Button
                        size="small"
                        variant="text"
                        aria-label={t(hidden ? 'forms.showOf' : 'forms.hideOf', { question: label(item) })}
                        onClick={() =>
                          change({
                            ...extension,
                            hidden: hidden
                              ? extension.hidden.filter((id) => id !== item.linkId)
                              : [...extension.hidden, item.linkId],
                          })
                        }
                      >
                        {t(hidden ? 'forms.show' : 'forms.hide')}
                      </Button>
                    ) : null}
                    <Button
                      size="small"
                      variant="outlined"
                      aria-label={t('forms.addAfter', { question: label(item) })}
                      onClick={() => setEdited({ at, item: null })}
                    >
                      {t('forms.add')}
                    </Button>
                  </Box>
                );
              })}
            </Box>
          </Box>
        ))
      )}
      {dirty || overtaken ? (
        <StickyActions>
          <Typography variant="body2" role="status" sx={{ flex: '1 1 160px', color: 'text.secondary' }}>
            {t('forms.pending')}
          </Typography>
          <Button variant="text" onClick={() => setDraft(null)}>
            {t('common:action.discard')}
          </Button>
          <Button variant="contained" disabled={overtaken} onClick={() => setAsking(true)}>
            {t('forms.publish')}
          </Button>
        </StickyActions>
      ) : null}
      <Versions published={published} />
      {edited ? (
        <EditQuestion
          form={asked}
          at={edited.at}
          item={edited.item}
          fixed={edited.item !== null && isPublished(edited.item.linkId)}
          languages={languages}
          onClose={() => setEdited(null)}
          onDone={(item) => {
            change(withQuestion(extension, edited.at, item));
            setEdited(null);
          }}
        />
      ) : null}
      <ConfirmDialog
        open={asking}
        title={t('forms.publishTitle', { form: labelIn(form.title, i18n.language) })}
        confirm={t('forms.publish')}
        busy={call.isPending}
        error={call.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          call.mutate(
            { params: { form: form.id }, body: { version, extension } },
            {
              onSuccess: () => {
                setAsking(false);
                setDraft(null);
                notify('success', 'settings:forms.done');
              },
            },
          )
        }
      >
        {t('forms.publishText')}
      </ConfirmDialog>
    </Section>
  );
}

/** The form as investigators see it; the preview's answers are not stored. */
function Preview({ form }: { form: Form }) {
  const { t } = useTranslation('settings');
  const preview = useForm<FormValues>({ defaultValues: valuesOf(form, {}) });
  const [sex, setSex] = useState<'F' | 'M'>('F');
  return (
    <FormProvider {...preview}>
      <Alert severity="info">{t('forms.previewText')}</Alert>
      <Segments
        label={t('forms.previewOf')}
        value={sex}
        onChange={setSex}
        options={(['F', 'M'] as const).map((value) => ({ value, label: t(`forms.sex.${value}`) }))}
      />
      <FormSections form={form} facts={{ sex }} disabled={false} field={() => ''} />
    </FormProvider>
  );
}

function Versions({ published: { published } }: { published: PublishedForm }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  if (published.length === 0) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 650 }}>
        {t('forms.versions')}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
        {published.map(({ version, at, by }) => (
          <Typography key={version} component="li" variant="body2">
            {[t('forms.version', { version }), formats.instant(at), by].filter(Boolean).join(' · ')}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
