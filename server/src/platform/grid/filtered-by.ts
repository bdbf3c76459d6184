import { typedWords } from '@caseway/contract/audit-sentence';
import { conditionsOf, type GridQuery } from '@caseway/contract/grid';

/**
 * What the audit log says about the filters of a list: the columns and filters that narrowed it, and the column that
 * groups rows. Never their values, which are free text and may be anyone's name. [P15, P16]
 */
export const filteredBy = ({ filterModel, filters, behind, grouping }: GridQuery): string[] => [
  ...new Set([
    ...conditionsOf(filterModel).map(({ field }) => field),
    ...Object.keys(filters).filter((name) => filters[name]!.length > 0),
    ...(filterModel.quickFilterValues?.length ? [typedWords] : []),
    ...(behind ? ['behind'] : []),
    ...(grouping ? [grouping.by] : []),
  ]),
];
