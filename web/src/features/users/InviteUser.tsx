import { inviteUser, type PersonFields as Person, type UserDetail, users } from '@caseway/contract/users';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../data/api.ts';
import { formShape } from '../../record/form-values.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useTimeZone } from '../../session/time-zone.ts';
import { ErrorSummary, showFaults, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { language } from '../../words/i18n.ts';
import {
  type ChosenMembership,
  chosen,
  MembershipChoice,
  membershipForm,
  useMembershipLabels,
} from './MembershipChoice.tsx';
import { PersonFields, personNames, usePersonLabels } from './PersonForm.tsx';
import { fullName, Refused, useAdministeredTypes, userSearches } from './parts.tsx';

const draftName = 'users/invite';
const draftSchema = z.record(z.string(), z.string());
/** The part of the draft that is kept: an organization and its roles are chosen again. */
const personOf = ({ orgType: _, org: __, roleIds: ___, ...person }: InviteValues) => person;
type InviteValues = Record<(typeof personNames)[number], string> & ChosenMembership;
const inviteForm = z.object({
  ...formShape(users, personNames),
  ...membershipForm.shape,
}) as unknown as z.ZodType<Record<string, unknown>, InviteValues>;

/** Invites someone by email, with their roles in one organisation; the draft is kept until it is sent. */
export function InviteUser({
  orgType,
  onInvited,
  onClose,
}: {
  /** The kind of organisation to begin with. */
  orgType: ChosenMembership['orgType'];
  onInvited: (user: UserDetail) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const personLabels = usePersonLabels();
  const labels = { ...personLabels, ...useMembershipLabels() };
  const timeZone = useTimeZone();
  const types = useAdministeredTypes();
  const call = useCall(inviteUser, { invalidates: userSearches });
  const form = useSchemaForm<InviteValues>(inviteForm, {
    firstName: '',
    middleName: '',
    lastName: '',
    email: '',
    phone: '',
    language: language(),
    timeZone,
    ...readDraft(draftName, draftSchema),
    orgType: types.includes(orgType) ? orgType : (types[0] ?? 'T'),
    org: null,
    roleIds: [],
  });
  const values = form.watch();
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty) saveDraft(draftName, personOf(values));
  }, [isDirty, values]);

  const send = form.handleSubmit(({ orgType: type, org, roleIds, ...person }) => {
    const memberships = [chosen({ orgType: type, org, roleIds })];
    call.mutate(
      { body: { ...(person as unknown as Person), memberships } },
      {
        onSuccess: (user) => {
          removeDraft(draftName);
          notify('success', 'users:done.invited', { values: { name: fullName(user) } });
          onInvited(user);
        },
        onError: ({ faults }) =>
          showFaults(
            form,
            faults.filter(({ path }) => path in labels),
          ),
      },
    );
  });
  return (
    <FormDialog
      title={t('invite.title')}
      lead={t('invite.lead')}
      submit={t('invite.send')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        <PersonFields addresses />
        <Typography variant="h3">{t('invite.where')}</Typography>
        <MembershipChoice />
      </FormProvider>
      <Refused error={call.error} />
    </FormDialog>
  );
}
