import { importRunKinds, type Notification } from '@caseway/contract/inbox';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { filesPath } from '../../data/exported-files.ts';

/** The screens that notifications open, by kind of record. */
const screens: Readonly<Record<string, string>> = {
  case: '/case-reports',
  contact: '/contacts',
  'case-follow-up': '/case-follow-ups',
  'partner-service': '/partner-services',
  incident: '/incident-reports',
  'field-visit': '/field-visits',
  'telemedicine-visit': '/telemedicine',
  ...Object.fromEntries(['import', ...importRunKinds].map((kind) => [kind, '/imports'])),
};

/**
 * The address of what it is about: a task's case, or the list of tasks or of those that wait for the reader's teams, a bulk
 * action's list, an emergency access in the list of accesses.
 */
export function pathOfNotification({ kind, recordKind, recordId, about, work }: Notification): string {
  if (kind === 'team-task') return '/work-tasks?whose=my-teams';
  if (recordKind === 'work-task') return about ? `${screens.case}/${about}` : '/work-tasks';
  if (recordKind === 'bulk-action') return `/${work ?? ''}`;
  if (recordKind === 'exported-file') return filesPath;
  if (recordKind === 'break-glass') return '/admin/privacy';
  return `${screens[recordKind] ?? ''}/${recordId}`;
}

/** A notification's text, by its kind and what its reader may see. */
export function useNotificationText(): (one: Notification) => string {
  const { t } = useTranslation(['inbox', 'work-tasks', 'common']);
  return useCallback(
    ({ kind, recordKind, name, work, state }) => {
      const of = t(`record.${recordKind}`, { defaultValue: '' });
      const named = [of, name].filter(Boolean).join(' ');
      const list = ['bulk-action', 'exported-file'].includes(recordKind)
        ? t(`list.${work}`, { defaultValue: '' })
        : '';
      const task = recordKind === 'work-task' && work ? t(`work-tasks:work.${work}`) : '';
      const ended = state ? t(`state.${state}`, { defaultValue: '' }) : '';
      const what = [task, list, named].filter(Boolean).join(', ');
      // An import can run several times, so the sentence says which run it was.
      const ran = name === null ? '' : t(`run.${recordKind}`, { defaultValue: '', name });
      const told = ran || [t(`told.${kind}`), what].filter(Boolean).join(': ');
      return ended ? `${told} (${ended})` : told;
    },
    [t],
  );
}
