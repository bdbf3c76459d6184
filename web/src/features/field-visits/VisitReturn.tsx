import type { FieldVisit } from '@caseway/contract/field-visits';
import { Clock, TriangleAlert } from 'lucide-react';
import { IconMark } from '../../ui/IconMark.tsx';
import { useVisitWords } from './visit-words.ts';

/** Whether a worker who is out is expected or overdue, in words and with a mark. */
export function VisitReturn({ row }: { row: Pick<FieldVisit, 'return'> }) {
  const words = useVisitWords();
  if (row.return === null) return null;
  const isLate = row.return === 'overdue';
  return (
    <IconMark icon={isLate ? TriangleAlert : Clock} color={isLate ? 'error.main' : 'text.secondary'}>
      {words.choice('return', row.return)}
    </IconMark>
  );
}
