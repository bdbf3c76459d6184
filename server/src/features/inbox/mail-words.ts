import type { NotificationKind } from '@caseway/contract/inbox';

/** Singular and plural; `#` is the number. */
type Said = readonly [one: string, several: string];

/** The text of a message for each kind. It names no person, record or illness. [P16] */
export const mailWords: Readonly<Record<'en' | 'es' | 'ht', Readonly<Record<NotificationKind, Said>>>> = {
  en: {
    assigned: ['1 record was assigned to you.', '# records were assigned to you.'],
    'task-given': ['You were given 1 follow-up task.', 'You were given # follow-up tasks.'],
    'team-task': [
      'Your team was given follow-up tasks 1 time.',
      'Your team was given follow-up tasks # times.',
    ],
    mentioned: ['You were mentioned in 1 note.', 'You were mentioned in # notes.'],
    'given-back': [
      '1 record that you had assigned was given back.',
      '# records that you had assigned were given back.',
    ],
    rejected: ['1 record that you had sent was rejected.', '# records that you had sent were rejected.'],
    reopened: ['1 of your records was opened again.', '# of your records were opened again.'],
    'visit-booked': [
      '1 visit with you was booked in the portal.',
      '# visits with you were booked in the portal.',
    ],
    'visit-moved': [
      '1 visit with you was moved in the portal.',
      '# visits with you were moved in the portal.',
    ],
    'visit-cancelled': [
      '1 visit with you was canceled in the portal.',
      '# visits with you were canceled in the portal.',
    ],
    'symptoms-noted': [
      'Symptoms were noted in 1 of your follow-ups.',
      'Symptoms were noted in # of your follow-ups.',
    ],
    'incident-reported': [
      '1 reaction was reported in the portal.',
      '# reactions were reported in the portal.',
    ],
    'incident-reported-urgent': [
      '1 reaction was reported in the portal that can be an emergency.',
      '# reactions were reported in the portal that can be emergencies.',
    ],
    'visit-overdue': [
      '1 colleague is not back in time from a field visit.',
      '# colleagues are not back in time from field visits.',
    ],
    'task-due': ['1 of your follow-up tasks is due.', '# of your follow-up tasks are due.'],
    'import-ended': ['1 import has ended.', '# imports have ended.'],
    'bulk-ended': ['1 change of many records has ended.', '# changes of many records have ended.'],
    'export-ended': ['1 of your files is finished.', '# of your files are finished.'],
    'glass-opened': ['1 hidden record was opened.', '# hidden records were opened.'],
  },
  es: {
    assigned: ['Se le asignó 1 registro.', 'Se le asignaron # registros.'],
    'task-given': ['Se le dio 1 tarea de seguimiento.', 'Se le dieron # tareas de seguimiento.'],
    'team-task': [
      'Se le dieron tareas de seguimiento a su equipo 1 vez.',
      'Se le dieron tareas de seguimiento a su equipo # veces.',
    ],
    mentioned: ['Le mencionaron en 1 nota.', 'Le mencionaron en # notas.'],
    'given-back': [
      'Se devolvió 1 registro que usted había asignado.',
      'Se devolvieron # registros que usted había asignado.',
    ],
    rejected: [
      'Se rechazó 1 registro que usted había enviado.',
      'Se rechazaron # registros que usted había enviado.',
    ],
    reopened: ['Se reabrió 1 de sus registros.', 'Se reabrieron # de sus registros.'],
    'visit-booked': [
      'Se reservó 1 visita con usted en el portal.',
      'Se reservaron # visitas con usted en el portal.',
    ],
    'visit-moved': [
      'Cambió la hora de 1 visita con usted en el portal.',
      'Cambió la hora de # visitas con usted en el portal.',
    ],
    'visit-cancelled': [
      'Se canceló 1 visita con usted en el portal.',
      'Se cancelaron # visitas con usted en el portal.',
    ],
    'symptoms-noted': [
      'Se anotaron síntomas en 1 de sus seguimientos.',
      'Se anotaron síntomas en # de sus seguimientos.',
    ],
    'incident-reported': ['Se informó 1 reacción en el portal.', 'Se informaron # reacciones en el portal.'],
    'incident-reported-urgent': [
      'Se informó en el portal 1 reacción que puede ser una emergencia.',
      'Se informaron en el portal # reacciones que pueden ser emergencias.',
    ],
    'visit-overdue': [
      '1 colega no ha vuelto a tiempo de una visita a domicilio.',
      '# colegas no han vuelto a tiempo de visitas a domicilio.',
    ],
    'task-due': [
      '1 de sus tareas de seguimiento es para hoy o está vencida.',
      '# de sus tareas de seguimiento son para hoy o están vencidas.',
    ],
    'import-ended': ['Terminó 1 importación.', 'Terminaron # importaciones.'],
    'bulk-ended': ['Terminó 1 cambio de muchos registros.', 'Terminaron # cambios de muchos registros.'],
    'export-ended': ['1 de sus archivos está terminado.', '# de sus archivos están terminados.'],
    'glass-opened': ['Se abrió 1 registro oculto.', 'Se abrieron # registros ocultos.'],
  },
  ht: {
    assigned: ['Yo ba ou 1 dosye.', 'Yo ba ou # dosye.'],
    'task-given': ['Yo ba ou 1 tach swivi.', 'Yo ba ou # tach swivi.'],
    'team-task': ['Yo bay ekip ou tach swivi 1 fwa.', 'Yo bay ekip ou tach swivi # fwa.'],
    mentioned: ['Yo site w nan 1 nòt.', 'Yo site w nan # nòt.'],
    'given-back': ['Yo remèt 1 dosye ou te bay.', 'Yo remèt # dosye ou te bay.'],
    rejected: ['Yo refize 1 dosye ou te voye.', 'Yo refize # dosye ou te voye.'],
    reopened: ['Yo louvri 1 nan dosye ou yo ankò.', 'Yo louvri # nan dosye ou yo ankò.'],
    'visit-booked': ['Yo rezève 1 vizit ak ou nan pòtay la.', 'Yo rezève # vizit ak ou nan pòtay la.'],
    'visit-moved': ['Yo chanje lè 1 vizit ak ou nan pòtay la.', 'Yo chanje lè # vizit ak ou nan pòtay la.'],
    'visit-cancelled': ['Yo anile 1 vizit ak ou nan pòtay la.', 'Yo anile # vizit ak ou nan pòtay la.'],
    'symptoms-noted': ['Yo note sentòm nan 1 nan swivi ou yo.', 'Yo note sentòm nan # nan swivi ou yo.'],
    'incident-reported': ['Yo rapòte 1 reyaksyon nan pòtay la.', 'Yo rapòte # reyaksyon nan pòtay la.'],
    'incident-reported-urgent': [
      'Yo rapòte 1 reyaksyon nan pòtay la ki ka yon ijans.',
      'Yo rapòte # reyaksyon nan pòtay la ki ka yon ijans.',
    ],
    'visit-overdue': [
      '1 kòlèg pa tounen alè nan yon vizit sou teren.',
      '# kòlèg pa tounen alè nan vizit sou teren.',
    ],
    'task-due': ['Lè a rive pou 1 nan tach swivi ou yo.', 'Lè a rive pou # nan tach swivi ou yo.'],
    'import-ended': ['1 enpòtasyon fini.', '# enpòtasyon fini.'],
    'bulk-ended': ['1 chanjman nan anpil dosye fini.', '# chanjman nan anpil dosye fini.'],
    'export-ended': ['1 nan fichye ou yo fini.', '# nan fichye ou yo fini.'],
    'glass-opened': ['Yo louvri 1 dosye ki kache.', 'Yo louvri # dosye ki kache.'],
  },
};

/** A line for each kind, in English if the language has none. */
export function toldIn(
  languageCode: string,
  told: ReadonlyMap<NotificationKind, readonly unknown[]>,
): string {
  const base = languageCode.split('-')[0]!;
  const words = mailWords[Object.hasOwn(mailWords, base) ? (base as keyof typeof mailWords) : 'en'];
  return [...told]
    .map(([kind, { length }]) => words[kind][length === 1 ? 0 : 1].replace('#', String(length)))
    .join('\n');
}
