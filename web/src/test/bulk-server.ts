import type { BulkAction } from '@caseway/contract/bulk';
import type { Sent } from './server.ts';

const looked = '33333333-3333-4333-8333-333333333333';

/** The answers to a change of two records, for `serve`: one would change, the other is refused. */
export function bulkAnswers(
  record: string,
  transition: string,
  refused: { id: string; name: string; code: string; field: string },
) {
  const action: BulkAction = {
    ...{ id: looked, state: 'done', dryRun: true, undoes: null, change: {}, transition },
    ...{ at: '2026-03-02T15:00:00.000Z', total: 2, changed: 1, same: 0, refused: 1, stoppedBy: null },
  };
  const path = `/api/web/${record}/bulk`;
  return {
    [`GET ${path}/last`]: { body: { action: null } },
    [`GET ${path}/${looked}`]: { body: action },
    [`GET ${path}/${looked}/refused`]: { body: { refused: [{ ...refused, state: null }], more: false } },
    [`POST ${path}`]: ({ body }: Sent) => ({
      body: { counted: 2, action: { ...action, dryRun: (body as { dryRun: boolean }).dryRun } },
    }),
  };
}
