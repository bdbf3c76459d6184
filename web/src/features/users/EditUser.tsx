import {
  addMembership,
  changeMembership,
  changeUser,
  type PersonFields as Person,
  readUser,
  type UserDetail,
  type UserMembership,
} from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { callApi, queryClient, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { notify } from '../../session/notify.ts';
import { ErrorSummary, showFaults, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import {
  type ChosenMembership,
  chosen,
  MembershipChoice,
  membershipForm,
  useMembershipLabels,
} from './MembershipChoice.tsx';
import { PersonFields, type PersonValues, personForm, usePersonLabels } from './PersonForm.tsx';
import { fullName, Refused, useAdministeredTypes, userSearches } from './parts.tsx';
import { RoleChoice } from './RoleChoice.tsx';

const old = [readUser, ...userSearches];

/** Sends the undo of a change, and reports it. */
export function offerUndo(words: string, values: Record<string, string>, undo: () => Promise<unknown>): void {
  notify('success', words, {
    values,
    action: {
      label: 'users:done.undo',
      run: () =>
        void takeBack(async () => {
          await undo();
          await Promise.all(old.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
        }, 'users:done.undone'),
    },
  });
}

/** Name, addresses, language and time zone of a user, as far as an administrator may change them. */
export function EditUser({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('users');
  const labels = usePersonLabels();
  const call = useCall(changeUser, { invalidates: old });
  const before: PersonValues = {
    firstName: user.firstName,
    middleName: user.middleName ?? '',
    lastName: user.lastName,
    email: user.email,
    phone: user.phone ?? '',
    language: user.language as PersonValues['language'],
    timeZone: user.timeZone,
  };
  const form = useSchemaForm<PersonValues>(personForm, before);
  const send = form.handleSubmit((person) => {
    const after = person as unknown as Person;
    const fields = Object.keys(after) as (keyof Person)[];
    const changed = fields.filter((field) => (after[field] ?? '') !== before[field]);
    if (changed.length === 0) return onClose();
    const body = Object.fromEntries(changed.map((field) => [field, after[field]]));
    call.mutate(
      { params: { id: user.id }, body },
      {
        onSuccess: () => {
          const earlier = Object.fromEntries(changed.map((field) => [field, user[field]])) as Partial<Person>;
          offerUndo('users:done.saved', {}, () =>
            callApi(changeUser, { params: { id: user.id }, body: earlier }),
          );
          onClose();
        },
        onError: ({ faults }) => showFaults(form, faults),
      },
    );
  });
  return (
    <FormDialog
      title={t('edit.title', { name: fullName(user) })}
      submit={t('edit.save')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        <PersonFields addresses={user.editable === 'everything'} />
      </FormProvider>
      <Refused error={call.error} />
    </FormDialog>
  );
}

/** The roles of a user in one organisation. */
export function EditRoles({
  user,
  membership,
  onClose,
}: {
  user: UserDetail;
  membership: UserMembership;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const call = useCall(changeMembership, { invalidates: old });
  const [roleIds, setRoleIds] = useState(membership.roleIds);
  const params = { id: membership.id };
  return (
    <FormDialog
      title={t('roles.title', { org: membership.orgName })}
      lead={fullName(user)}
      submit={t('roles.save')}
      busy={call.isPending}
      onSubmit={() => {
        if (roleIds.length === 0) return;
        call.mutate(
          { params, body: { roleIds } },
          {
            onSuccess: () => {
              offerUndo('users:done.saved', {}, () =>
                callApi(changeMembership, { params, body: { roleIds: membership.roleIds } }),
              );
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <RoleChoice
        orgType={membership.orgType}
        orgId={membership.orgId}
        value={roleIds}
        kept={membership.roleIds}
        onChange={setRoleIds}
      />
      {roleIds.length === 0 ? <Alert severity="warning">{t('roles.needed')}</Alert> : null}
      <Refused error={call.error} />
    </FormDialog>
  );
}

/** One more organisation for a user. */
export function AddMembership({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('users');
  const types = useAdministeredTypes();
  const call = useCall(addMembership, { invalidates: old });
  const labels = useMembershipLabels();
  const form = useSchemaForm<ChosenMembership>(membershipForm, {
    orgType: types.includes('O') ? 'O' : (types[0] ?? 'T'),
    org: null,
    roleIds: [],
  });
  const send = form.handleSubmit((membership) =>
    call.mutate(
      { params: { id: user.id }, body: chosen(membership) },
      {
        onSuccess: () => {
          notify('success', 'users:done.saved');
          onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={t('add.title', { name: fullName(user) })}
      submit={t('add.save')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        <MembershipChoice />
      </FormProvider>
      <Refused error={call.error} />
    </FormDialog>
  );
}
