import type { CaseEvent } from '@caseway/contract/case-reports';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../../data/use-labels.ts';
import { taskTitle } from '../../record/use-task-words.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** What happened to a task of the case: who added it, who has it, and its state. */
export function TaskEvent({ detail }: Pick<CaseEvent, 'detail'>) {
  const { t } = useTranslation('work-tasks');
  const people = useLabels('investigators');
  const teams = useLabels('teams');
  const { what, work, title, account, team } = detail;
  const task = taskTitle(t, { work: String(work), title: textOf(title) });
  const to = people.of(textOf(account)) || teams.of(textOf(team));
  const key = to && what === 'made' ? 'madeFor' : String(what);
  return <>{t(`event.${key}`, { task, to, defaultValue: t('common:label.unknown.other') })}</>;
}
