import {
  addMembership,
  readUser,
  type UserDetail,
  type UserMembership,
  users,
} from '@caseway/contract/users';
import { useTranslation } from 'react-i18next';
import { callApi, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { type FormValues, formSchema, formValues } from '../../record/form-values.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { useRecordForm, type Version } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { showFaults, useFormField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import {
  type ChosenMembership,
  chosen,
  MembershipChoice,
  membershipForm,
  useNewMembership,
} from './MembershipChoice.tsx';
import { PersonFields, personNames } from './PersonForm.tsx';
import { fullName, Refused, refusalKeys, userSearches } from './parts.tsx';
import { RoleChoice } from './RoleChoice.tsx';
import { useUserWords } from './words.ts';

const { change, history, undo } = users.endpoints;
/** What every change of a user makes stale. */
export const oldUsers = [readUser, history, ...userSearches];

/** Undoes versions of users, by membership id. */
const undoAll = (versions: readonly { id: string; version: number }[]) =>
  Promise.all(versions.map(({ id, version }) => callApi(undo, { params: { id }, body: { version } })));

/** Confirms that users have changed, and offers to undo it. */
export const offerUndoOf = (
  done: string,
  values: Record<string, string>,
  versions: readonly { id: string; version: number }[],
): void => offerUndo(done, () => undoAll(versions), { values, old: oldUsers });

/** A form over some fields of a user in one organization. */
function useUserForm(
  id: string,
  names: readonly string[],
  stored: { version: number; roles?: readonly string[] },
  onClose: () => void,
) {
  const save = useCall(change, { invalidates: oldUsers });
  const params = { id };
  const versionOf = (of: typeof stored): Version<FormValues> => ({
    version: of.version,
    values: formValues(users, { ...of }, names),
  });
  const editing = useRecordForm<FormValues, UserDetail>(
    formSchema(users, names),
    `users/${id}/${names.join()}`,
    versionOf(stored),
    {
      write: (changes, version) => save.mutateAsync({ params, body: { ...changes, version } }),
      read: async () => versionOf(await callApi(readUser, { params })),
      versionOf,
      onSaved: ({ version }) => {
        offerUndoOf('users:done.saved', {}, [{ id, version }]);
        onClose();
      },
      onRefused: ({ faults }) =>
        showFaults(editing.form, faults, (code) => refusalKeys[code] ?? `fault.${code}`),
    },
  );
  return editing;
}

/** A user's name, addresses, language and time zone, as far as an administrator may change them. */
export function EditUser({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('users');
  const { labels, text } = useUserWords();
  const editing = useUserForm(user.id, personNames, user, onClose);
  return (
    <FormDialog
      title={t('edit.title', { name: fullName(user) })}
      submit={t('edit.save')}
      busy={editing.saving}
      onSubmit={() => void editing.send(onClose)()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={labels} text={text}>
        <PersonFields addresses={user.editable === 'everything'} />
      </FormBody>
    </FormDialog>
  );
}

/** A user's roles in one organization. */
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
  const { labels, text } = useUserWords();
  const { id, version, roleIds } = membership;
  const editing = useUserForm(id, ['roles'], { version, roles: roleIds }, onClose);
  return (
    <FormDialog
      title={t('roles.title', { org: membership.orgName })}
      lead={fullName(user)}
      submit={t('roles.save')}
      busy={editing.saving}
      onSubmit={() => void editing.send(onClose)()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={labels} text={text}>
        <RolesField membership={membership} />
      </FormBody>
    </FormDialog>
  );
}

function RolesField({ membership: { orgType, orgId, roleIds } }: { membership: UserMembership }) {
  const { field, fault, ref } = useFormField('roles');
  return (
    <RoleChoice
      orgType={orgType}
      orgId={orgId}
      value={field.value}
      kept={roleIds}
      fault={fault}
      inputRef={ref}
      // In stored order, so that the same roles are no change.
      onChange={(chosenIds) => field.onChange(chosenIds.toSorted())}
    />
  );
}

/** One more organization for a user. */
export function AddMembership({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('users');
  const { labels, text, stored } = useNewMembership('O');
  const call = useCall(addMembership, { invalidates: oldUsers });
  const editing = useRecordForm<ChosenMembership, UserDetail>(
    membershipForm,
    `users/${user.id}/new`,
    stored,
    {
      write: (membership) =>
        call.mutateAsync({ params: { id: user.id }, body: chosen(membership as ChosenMembership) }),
      read: async () => stored,
      versionOf: () => stored,
      onSaved: () => {
        notify('success', 'users:done.saved');
        onClose();
      },
    },
    true,
  );
  return (
    <FormDialog
      title={t('add.title', { name: fullName(user) })}
      submit={t('add.save')}
      busy={editing.saving}
      onSubmit={() => void editing.send()()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={labels} text={text}>
        <MembershipChoice />
      </FormBody>
      {editing.failure ? null : <Refused error={editing.error} />}
    </FormDialog>
  );
}
