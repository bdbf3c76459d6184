import { labelIn } from '@caseway/contract/label';
import { grantableOn, type KnownPermission, type SubjectKind } from '@caseway/contract/permission';
import {
  changeRole,
  previewRole,
  type Role,
  type RoleDraft,
  readRoles,
  roleDraft,
} from '@caseway/contract/roles';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { ArrowLeft, FileX } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { z } from 'zod';
import { becameOld, useApi, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { FaultSummary, focusOn } from '../../ui/FaultSummary.tsx';
import { Field } from '../../ui/Field.tsx';
import { wordsOfIssue } from '../../ui/fault-words.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { languageNames } from '../../words/i18n.ts';
import {
  ancestorsOf,
  type GrantState,
  inheritedOf,
  isSameDraft,
  onTopOf,
  permissionsFor,
  stateOf,
  withGrant,
} from './grants.ts';
import { RoleReview } from './RoleReview.tsx';

const translations = ['es', 'ht', 'en-GB'] as const;
const blank: RoleDraft = { label: '', labelI18N: {}, parentIds: [], grants: [] };
const draftOf = ({ label, labelI18N, parentIds, grants }: Role): RoleDraft => ({
  label,
  labelI18N,
  parentIds,
  grants,
});
const named = roleDraft.pick({ label: true, labelI18N: true }).strip();
const begun = roleDraft.extend({ label: z.string().max(100) });
const kept = z.object({ version: z.number(), first: begun, draft: begun });

/** One role: its names, what it inherits, what it grants where; saved after a preview of what changes for whom. */
export default function EditRole() {
  const { t } = useTranslation('roles');
  const { id = '' } = useParams();
  const query = useApi(readRoles);
  const back = (
    <Button
      variant="outlined"
      component={Link}
      to="/admin/roles"
      startIcon={<ArrowLeft size={16} aria-hidden />}
    >
      {t('edit.back')}
    </Button>
  );
  return (
    <Answered query={query} height={480}>
      {(answer) => {
        const role = answer.roles.find((one) => one.id === id) ?? null;
        if (role === null && id !== 'new')
          return (
            <Message icon={FileX} level="h1" title={t('edit.missing')} actions={back}>
              {t('common:error.not-found')}
            </Message>
          );
        return <Loaded key={id} role={role} {...answer} back={back} />;
      }}
    </Answered>
  );
}

function Loaded({
  role,
  roles,
  version,
  kinds,
  held,
  back,
}: {
  role: Role | null;
  roles: readonly Role[];
  version: number;
  kinds: readonly SubjectKind[];
  held: readonly string[];
  back: ReactNode;
}) {
  const { t, i18n } = useTranslation('roles');
  const navigate = useNavigate();
  const writes = useMay()('roles/write');
  const draftName = `roles/${role?.id ?? 'new'}`;
  const now = role ? draftOf(role) : blank;
  // What was begun stays when someone else changes this role or another: it goes on top of theirs.
  const [{ base, draft, overtaken }, setBegun] = useState(() => {
    const before = readDraft(draftName, kept) ?? { version, first: now, draft: now };
    return {
      base: { version, first: now },
      draft: onTopOf(now, before.first, before.draft),
      overtaken: !isSameDraft(now, before.first),
    };
  });
  const setDraft = (next: RoleDraft) => setBegun((all) => ({ ...all, draft: next }));
  const { first } = base;
  const dirty = !isSameDraft(draft, first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version of the roles once.
  useEffect(() => {
    if (version !== base.version)
      setBegun((all) => ({
        base: { version, first: now },
        draft: onTopOf(now, all.base.first, all.draft),
        overtaken: all.overtaken || (dirty && !isSameDraft(now, all.base.first)),
      }));
  }, [version]);
  const [reviewing, setReviewing] = useState<'change' | 'remove' | null>(null);
  /** How often a preview was requested. */
  const [wanted, setWanted] = useState(0);
  const preview = useCall(previewRole);
  const save = useCall(changeRole);
  const unsaved = dirty && !save.isSuccess;
  useUnsaved(unsaved);
  useEffect(() => {
    if (unsaved) saveDraft(draftName, { ...base, draft });
    else removeDraft(draftName);
  }, [unsaved, draft, draftName, base]);
  // Once nothing is unsaved any more, so that nobody is asked whether to leave it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is saved.
  useEffect(() => {
    if (!save.isSuccess) return;
    notify('success', reviewing === 'remove' ? 'roles:done.removed' : 'roles:done.saved', {
      values: { role: reviewed },
    });
    void navigate('/admin/roles');
    // Not before: a removed role has no screen.
    becameOld(readRoles);
  }, [save.isSuccess]);
  const body = (what: 'change' | 'remove') => ({
    version: base.version,
    id: role?.id ?? null,
    draft: what === 'remove' ? null : { ...draft, label: draft.label.trim() },
  });
  /** Others have changed roles: the review that follows is of the roles as they are now. */
  const askAgain = ({ code }: AppError) => {
    if (code === 'conflict') becameOld(readRoles);
    // Without a session nothing was reviewed.
    if (code === 'session-expired') setReviewing(null);
  };
  const review = (what: 'change' | 'remove') => {
    setWanted(wanted + 1);
    if (what === 'change' && !named.safeParse(draft).success) return;
    save.reset();
    setReviewing(what);
    preview.mutate({ body: body(what) }, { onError: askAgain });
  };
  const name = role ? labelIn(role, i18n.language) : t('edit.new');
  const reviewed = reviewing === 'remove' ? name : labelIn(draft, i18n.language);
  return (
    <Page
      title={name}
      lead={role ? t('list.holders', { count: role.holders }) : t('edit.newLead')}
      actions={back}
    >
      {writes ? null : <Alert severity="info">{t('edit.readOnly')}</Alert>}
      {overtaken && dirty ? <Alert severity="warning">{t('edit.overtaken')}</Alert> : null}
      <Names draft={draft} wanted={wanted} disabled={!writes} onChange={setDraft} />
      <Parents role={role} roles={roles} draft={draft} disabled={!writes} onChange={setDraft} />
      <Section title={t('edit.grants')}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('edit.grantsHelp')}
        </Typography>
        <Grants
          role={role}
          roles={roles}
          draft={draft}
          kinds={kinds}
          held={held}
          disabled={!writes}
          onChange={setDraft}
        />
      </Section>
      {writes ? (
        <StickyActions sx={{ padding: 3, border: 1, borderColor: 'divider', borderRadius: '10px' }}>
          {role ? (
            <Button variant="text" onClick={() => review('remove')}>
              {t('edit.remove')}
            </Button>
          ) : null}
          <Box sx={{ flex: 1 }} />
          <Button
            variant="outlined"
            disabled={!dirty}
            onClick={() => setBegun({ base, draft: first, overtaken: false })}
          >
            {t('edit.discard')}
          </Button>
          <Button variant="contained" disabled={!dirty} onClick={() => review('change')}>
            {t('edit.review')}
          </Button>
        </StickyActions>
      ) : null}
      {reviewing ? (
        <RoleReview
          removes={reviewing === 'remove'}
          name={reviewed}
          roles={roles}
          preview={preview}
          saving={save.isPending}
          error={save.error}
          onClose={() => setReviewing(null)}
          onConfirm={() =>
            save.mutate(
              { body: body(reviewing) },
              {
                onError: askAgain,
              },
            )
          }
        />
      ) : null}
    </Page>
  );
}

interface PartProps {
  draft: RoleDraft;
  disabled: boolean;
  onChange: (draft: RoleDraft) => void;
}

function Names({ draft, wanted, disabled, onChange }: PartProps & { wanted: number }) {
  const { t } = useTranslation('roles');
  const id = useId();
  const issues = (wanted > 0 && named.safeParse(draft).error?.issues) || [];
  const faultOf = (language?: string) => {
    const issue = issues.find(({ path }) => path[1] === language);
    const words = issue && wordsOfIssue(issue);
    return words && t(words.key, { ns: 'common', ...words.values });
  };
  return (
    <Section title={t('edit.names')}>
      <FaultSummary
        faults={[
          { name: id, label: t('edit.name'), fault: faultOf() },
          ...translations.map((language) => ({
            name: `${id}-${language}`,
            label: languageNames[language],
            fault: faultOf(language),
          })),
        ].filter(({ fault }) => fault !== undefined)}
        sent={wanted}
        focus={focusOn}
      />
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <Field id={id} label={t('edit.name')} help={t('edit.nameHelp')} required fault={faultOf()}>
          {({ describedBy, invalid }) => (
            <OutlinedInput
              id={id}
              value={draft.label}
              disabled={disabled}
              error={invalid}
              inputProps={{ maxLength: 100, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
              onChange={(event) => onChange({ ...draft, label: event.target.value })}
            />
          )}
        </Field>
        {translations.map((language) => (
          <Field
            key={language}
            id={`${id}-${language}`}
            label={languageNames[language]}
            fault={faultOf(language)}
          >
            {({ describedBy, invalid }) => (
              <OutlinedInput
                id={`${id}-${language}`}
                value={draft.labelI18N[language] ?? ''}
                disabled={disabled}
                error={invalid}
                inputProps={{
                  maxLength: 100,
                  'aria-describedby': describedBy,
                  'aria-invalid': invalid,
                  lang: language,
                }}
                onChange={(event) => {
                  const { [language]: _, ...others } = draft.labelI18N;
                  const text = event.target.value;
                  onChange({ ...draft, labelI18N: text === '' ? others : { ...others, [language]: text } });
                }}
              />
            )}
          </Field>
        ))}
      </Box>
    </Section>
  );
}

/** The roles it has everything of; one that inherits from this one itself cannot be chosen. */
function Parents({
  role,
  roles,
  draft,
  disabled,
  onChange,
}: PartProps & { role: Role | null; roles: readonly Role[] }) {
  const { t, i18n } = useTranslation('roles');
  const byId = new Map(roles.map((one) => [one.id, one]));
  const others = roles.filter((one) => one.id !== role?.id);
  const below = (one: Role) => role !== null && ancestorsOf(byId, one).some(({ id }) => id === role.id);
  return (
    <Section title={t('edit.parents')}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('edit.parentsHelp')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(240px, 1fr))' },
        }}
      >
        {others.map((one) => (
          <FormControlLabel
            key={one.id}
            disabled={disabled || below(one)}
            control={
              <Checkbox
                checked={draft.parentIds.includes(one.id)}
                onChange={(event) =>
                  onChange({
                    ...draft,
                    parentIds: event.target.checked
                      ? [...draft.parentIds, one.id]
                      : draft.parentIds.filter((id) => id !== one.id),
                  })
                }
              />
            }
            label={labelIn(one, i18n.language)}
          />
        ))}
      </Box>
    </Section>
  );
}

/** The role's own grants, permission by permission and kind by kind, next to what it inherits. */
function Grants({
  role,
  roles,
  draft,
  kinds,
  held,
  disabled,
  onChange,
}: PartProps & {
  role: Role | null;
  roles: readonly Role[];
  kinds: readonly SubjectKind[];
  held: readonly string[];
}) {
  const { t, i18n } = useTranslation('roles');
  const edited = { id: role?.id ?? '', parentIds: draft.parentIds, grants: draft.grants };
  const byId = new Map<string, Pick<Role, 'id' | 'parentIds' | 'grants'>>(roles.map((one) => [one.id, one]));
  byId.set(edited.id, edited);
  const label = (id: string) => {
    const found = roles.find((one) => one.id === id);
    return found ? labelIn(found, i18n.language) : '';
  };
  /** Each choice in words for its result, which is all that is shown. */
  const choicesOf = ({ effect, from }: GrantState) => {
    const said = { role: from === null ? '' : label(from) };
    return {
      none: effect === null ? t('state.none') : t(`inherited.${effect}`, said),
      allow: effect === 'deny' ? t('inherited.overridden', said) : t('state.allow'),
      deny: t('state.deny'),
    };
  };
  const cell = { padding: '6px 8px', borderBottom: 1, borderColor: 'divider', verticalAlign: 'top' } as const;
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Box component="table" sx={{ borderCollapse: 'collapse', fontSize: '0.8125rem', minWidth: '100%' }}>
        <thead>
          <tr>
            <Box component="th" scope="col" sx={{ ...cell, textAlign: 'left' }}>
              {t('list.permission')}
            </Box>
            {kinds.map((kind) => (
              <Box component="th" scope="col" key={kind} sx={{ ...cell, textAlign: 'left', minWidth: 208 }}>
                {t(`kind.${kind}`)}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissionsFor(kinds).map((permission: KnownPermission) => {
            const holds = held.includes(permission);
            const words = t(`common:permission.${permission}`);
            return (
              <tr key={permission}>
                <Box
                  component="th"
                  scope="row"
                  sx={{ ...cell, textAlign: 'left', fontWeight: 400, minWidth: 200 }}
                >
                  {words}
                  {holds ? null : (
                    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                      {t('edit.notHeld')}
                    </Typography>
                  )}
                </Box>
                {kinds.map((kind) => {
                  if (!grantableOn(permission).includes(kind))
                    return (
                      <Box component="td" key={kind} sx={{ ...cell, color: 'text.tertiary' }}>
                        <span aria-hidden>–</span>
                      </Box>
                    );
                  const { own } = stateOf(byId, edited, kind, permission);
                  const choices = choicesOf(inheritedOf(byId, edited, kind, permission));
                  return (
                    <Box component="td" key={kind} sx={cell}>
                      <NativeSelect
                        value={own ?? ''}
                        title={choices[own ?? 'none']}
                        disabled={disabled || !holds}
                        input={<OutlinedInput size="small" fullWidth />}
                        inputProps={{ 'aria-label': `${words}, ${t(`kind.${kind}`)}` }}
                        onChange={(event) =>
                          onChange({
                            ...draft,
                            grants: withGrant(
                              draft.grants,
                              kind,
                              permission,
                              (event.target.value || null) as 'allow' | 'deny' | null,
                            ),
                          })
                        }
                      >
                        <option value="">{choices.none}</option>
                        <option value="allow">{choices.allow}</option>
                        <option value="deny">{choices.deny}</option>
                      </NativeSelect>
                    </Box>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </Box>
    </Box>
  );
}
