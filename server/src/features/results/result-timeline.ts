import type { TimelineShown } from '../../platform/records/timeline.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';

/** A replaced result is not in its person's timeline. */
export const resultOnTimeline: TimelineShown = {
  only: 'r.superseded_by is null',
  named: { by: 'test_loinc', languages: testNameI18N },
};
