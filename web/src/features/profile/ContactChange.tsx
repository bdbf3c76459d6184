import { phoneShown } from '@caseway/contract/codes';
import {
  beginContactChange,
  type ContactChange as Contact,
  confirmContactChange,
  contactChange,
  type Profile,
} from '@caseway/contract/profile';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { ContactDialog } from '../../ui/ContactDialog.tsx';
import { wordsOfIssue } from '../../ui/fault-words.ts';
import { useGuarded } from './guarded.ts';

/** A new email address or telephone number of the signed-in user. */
export function ContactChange({
  kind,
  profile,
  onClose,
}: {
  kind: Contact['kind'];
  profile: Profile;
  onClose: () => void;
}) {
  const { t } = useTranslation(['profile', 'common']);
  const begin = useGuarded(beginContactChange);
  const confirm = useGuarded(confirmContactChange);

  const read = (typed: string, lost: boolean): { wanted: Contact } | { fault: string } => {
    const value = kind === 'PHONE' ? typed.replaceAll(/[\s().-]/g, '') : typed.trim();
    const presentBy = !profile.phoneConfirmed || lost ? 'EMAIL' : 'SMS';
    const wanted = contactChange.safeParse(kind === 'EMAIL' ? { kind, value } : { kind, value, presentBy });
    if (wanted.success) return { wanted: wanted.data };
    const issue = wanted.error.issues.find(({ path }) => path[0] === 'value');
    return { fault: t(issue ? wordsOfIssue(issue).key : 'fault.invalid', { ns: 'common' }) };
  };
  /** A user who declined to sign in again knows why nothing happened. */
  const said = (error: AppError | null) => {
    if (!error || error.code === 'recent-sign-in-needed') return null;
    const other = t(`common:error.${error.code}`);
    const [fault] = error.faults;
    return fault ? t(`contact.fault.${fault.code}`, { defaultValue: other }) : other;
  };
  const codeFor = (place: string) => t('contact.codeFor', { place });
  /** The number that someone else has entered for them. */
  const unconfirmed = kind === 'PHONE' && !profile.phoneConfirmed ? profile.phone : null;
  return (
    <ContactDialog
      kind={kind}
      words={{
        title: t(unconfirmed === null ? `contact.title.${kind}` : 'contact.title.confirm'),
        lead: t('contact.lead'),
        value: t(unconfirmed === null ? `contact.value.${kind}` : 'methods.phone'),
        valueHelp: kind === 'PHONE' ? t('contact.phoneHelp') : undefined,
        send: t('contact.send'),
        codes: t('contact.codes'),
        codeNew: codeFor,
        codePresent: codeFor,
        change: t(unconfirmed === null ? 'contact.change' : 'methods.confirm'),
      }}
      lost={
        kind === 'PHONE' && profile.phoneConfirmed
          ? t('contact.lost', { phone: phoneShown(profile.phone!) })
          : undefined
      }
      initial={unconfirmed ?? undefined}
      read={read}
      busy={begin.isPending || confirm.isPending}
      trouble={{ begin: said(begin.error), confirm: said(confirm.error) }}
      onBegin={(wanted, onBegun) => begin.mutate({ body: wanted }, { onSuccess: onBegun })}
      onConfirm={(codes) =>
        confirm.mutate(
          { body: codes },
          {
            onSuccess: () => {
              notify('success', `profile:contact.done.${unconfirmed === null ? kind : 'confirmed'}`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
