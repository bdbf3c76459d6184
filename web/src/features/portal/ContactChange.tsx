import { phoneShown } from '@caseway/contract/codes';
import {
  beginOwnContactChange,
  confirmOwnContactChange,
  type OwnRecordAnswer,
  readOwnRecord,
} from '@caseway/contract/portal';
import type { ContactChange as Contact } from '@caseway/contract/profile';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { ContactDialog } from '../../ui/ContactDialog.tsx';
import { readWho } from './who.ts';

/** The patient's new address or number. */
export function ContactChange({
  kind,
  own,
  onClose,
}: {
  kind: Contact['kind'];
  own: OwnRecordAnswer;
  onClose: () => void;
}) {
  const { t } = useTranslation(['portal', 'common']);
  const adds = (kind === 'EMAIL' ? own.email : own.phone) === null;
  const begin = useCall(beginOwnContactChange);
  const confirm = useCall(confirmOwnContactChange, { invalidates: [readOwnRecord] });

  const read = (typed: string, lost: boolean): { wanted: Contact } | { fault: string } => {
    const read = readWho(typed);
    if (kind === 'EMAIL' && 'who' in read && 'email' in read.who)
      return { wanted: { kind, value: read.who.email } };
    if (kind === 'PHONE' && 'who' in read && 'phone' in read.who)
      return {
        wanted: { kind, value: read.who.phone, presentBy: own.phone === null || lost ? 'EMAIL' : 'SMS' },
      };
    const isAreaCode = 'fault' in read && read.fault === 'areaCode';
    return { fault: t(`signIn.fault.${kind === 'EMAIL' ? 'email' : isAreaCode ? 'areaCode' : 'phone'}`) };
  };
  const said = (error: AppError | null) => {
    if (!error) return null;
    const code = error.faults[0]?.code;
    if (code === 'code-wrong') return t('contact.wrong');
    if (code === 'code-expired') return t('contact.expired');
    return t(`common:error.${error.code}`);
  };
  return (
    <ContactDialog
      kind={kind}
      words={{
        title: t(`contact.${adds ? 'add' : 'title'}${kind}`),
        lead: t(adds ? 'contact.leadAdd' : 'contact.lead'),
        value: t(`contact.new${kind}`),
        send: t('contact.send'),
        codes: t(adds ? 'contact.leadAdd' : 'contact.lead'),
        codeNew: (place) => t('contact.codeNew', { place }),
        codePresent: (place) => t(adds ? 'contact.codeKnown' : 'contact.codePresent', { place }),
        change: t(adds ? 'contact.add' : 'contact.save'),
      }}
      lost={
        kind === 'PHONE' && own.phone !== null && own.email !== null
          ? t('contact.lost', { phone: phoneShown(own.phone) })
          : undefined
      }
      read={read}
      busy={begin.isPending || confirm.isPending}
      trouble={{ begin: said(begin.error), confirm: said(confirm.error) }}
      onBegin={(wanted, onBegun) => begin.mutate({ body: wanted }, { onSuccess: onBegun })}
      onConfirm={(codes) =>
        confirm.mutate(
          { body: codes },
          {
            onSuccess: () => {
              notify('success', adds ? 'portal:contact.added' : 'portal:contact.done');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
