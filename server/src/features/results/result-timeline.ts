import type { TimelineShown } from '../../platform/records/timeline.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';

/** A result that a later one has replaced is none of its person's. */
export const resultOnTimeline: TimelineShown = {
  only: 'r.superseded_by is null',
  named: { by: 'test_loinc', languages: testNameI18N },
};
