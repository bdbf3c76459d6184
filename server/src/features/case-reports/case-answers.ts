import { saysNo, saysYes } from '../patients/patient-facts.ts';
import type { Answer, LabReport } from '../reported/report.ts';
import { visitTypeOfClass } from './visit-type.ts';

export interface CaseAnswers {
  onsetOn: string | null;
  pregnant: string | null;
  hospitalized: string | null;
  /** Where the person was seen when the specimen was taken (PV1-2). */
  visitType: string | null;
}

/** Answers about the person in the test order, as far as a case report has fields for them. */
export function answersOf(report: LabReport): CaseAnswers {
  const answers = [...report.answers, ...report.orders.flatMap((order) => order.answers)];
  const find = (question: Answer['question']) => answers.find((answer) => answer.question === question);
  const yesOrNo = (question: Answer['question']) => {
    const values = find(question)?.values ?? [];
    return saysYes(values) ? 'yes' : saysNo(values) ? 'no' : null;
  };
  const onset = find('onset')?.values.find((value) => value.kind === 'time');
  const pregnant =
    find('pregnant')?.values.flatMap((value) => (value.kind === 'coded' ? value.coded.codes : [])) ?? [];
  return {
    onsetOn: onset?.time.day ?? null,
    // SNOMED CT: pregnant, not pregnant.
    pregnant: pregnant.some(({ code }) => code === '77386006')
      ? 'yes'
      : pregnant.some(({ code }) => code === '60001007')
        ? 'no'
        : yesOrNo('pregnant'),
    hospitalized: yesOrNo('hospitalized'),
    visitType: visitTypeOfClass(report.visit?.patientClass),
  };
}
