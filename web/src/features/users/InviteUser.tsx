import { inviteUser, type PersonFields as Person, type UserDetail, users } from '@caseway/contract/users';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { formShape } from '../../record/form-values.ts';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useTimeZone } from '../../session/time-zone.ts';
import { showFaults } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { language } from '../../words/i18n.ts';
import {
  type ChosenMembership,
  chosen,
  MembershipChoice,
  membershipForm,
  useNewMembership,
} from './MembershipChoice.tsx';
import { PersonFields, personNames, usePersonLabels } from './PersonForm.tsx';
import { fullName, Refused, userSearches } from './parts.tsx';
import { useUserWords } from './words.ts';

type InviteValues = Record<(typeof personNames)[number], string> & ChosenMembership;
const inviteForm = z.object({
  ...formShape(users, personNames),
  ...membershipForm.shape,
}) as unknown as z.ZodType<Record<string, unknown>, InviteValues>;

/** Invites someone by email, with their roles in one organization; the draft is kept until it is sent. */
export function InviteUser({
  orgType,
  onInvited,
  onClose,
}: {
  /** The initial kind of organization. */
  orgType: ChosenMembership['orgType'];
  onInvited: (user: UserDetail) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const membership = useNewMembership(orgType);
  const { text } = useUserWords();
  const labels: Record<string, string> = { ...usePersonLabels(), ...membership.labels };
  const timeZone = useTimeZone();
  const call = useCall(inviteUser, { invalidates: userSearches });
  const nobody = {
    ...{ firstName: '', middleName: '', lastName: '', email: '', phone: '' },
    ...{ language: language(), timeZone },
  };
  const stored = { ...membership.stored, values: { ...nobody, ...membership.stored.values } };
  const editing = useRecordForm<InviteValues, UserDetail>(
    inviteForm,
    'users/invite',
    stored,
    {
      write: ({ orgType: type, org, roleIds, ...person }) => {
        const memberships = [chosen({ orgType: type, org, roleIds } as ChosenMembership)];
        return call.mutateAsync({ body: { ...(person as unknown as Person), memberships } });
      },
      read: async () => stored,
      versionOf: () => stored,
      onSaved: (user) => {
        notify('success', 'users:done.invited', { values: { name: fullName(user) } });
        onInvited(user);
      },
      onRefused: ({ faults }) =>
        showFaults(
          editing.form,
          faults.filter(({ path }) => path in labels),
        ),
    },
    true,
  );
  return (
    <FormDialog
      title={t('invite.title')}
      lead={t('invite.lead')}
      submit={t('invite.send')}
      busy={editing.saving}
      onSubmit={() => void editing.send()()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody
        of={editing}
        labels={labels}
        text={(name, value) => (name in membership.labels ? membership.text : text)(name, value)}
      >
        <PersonFields addresses />
        <Typography variant="h3">{t('invite.where')}</Typography>
        <MembershipChoice />
      </FormBody>
      {editing.failure ? null : <Refused error={editing.error} />}
    </FormDialog>
  );
}
