import { type MailWords, mailWords } from './mail-words.ts';

/** What is said otherwise to patients: they know no Caseway, have no administrator, and ask their clinic. */
type PatientWords = Pick<MailWords, 'code' | 'codeText' | 'locked' | 'contact' | 'emailChanged'> & {
  notice: Omit<MailWords['notice'], 'what'>;
};

const en: PatientWords = {
  code: {
    subject: 'Your code for your health results',
    before: (host) => `Hello,\n\nthis is your code to see your health results at ${host}:`,
    after: (minutes) =>
      `It works for ${minutes} minutes and only once. After it you are asked for your date of birth.\n\nIf you did not ask for a code, you do not need to do anything. Do not give it to anybody. Nobody from your clinic will ever ask you for it.`,
  },
  codeText: {
    before: (host) => `Your code for your health results at ${host}:`,
    after: (minutes) => `Works for ${minutes} minutes. Do not give it to anybody.`,
  },
  locked: {
    subject: 'Signing in is paused',
    text: (host) =>
      `Hello,\n\nsomebody asked for a code to see your health results at ${host}. There were too many wrong tries in the last 24 hours, so we are sending no code for now.\n\nTry again tomorrow. If it was not you, or if you need your results sooner, call your clinic or health department.`,
  },
  contact: {
    new: {
      subject: 'Confirm that we can reach you here',
      before: (host) =>
        `Somebody wants to get messages about their health results from ${host} here. If that is you, enter this code there:`,
      after: (minutes) =>
        `It works for ${minutes} minutes. If it is not you, you do not need to do anything.`,
    },
    present: {
      subject: 'Your contact details are about to change',
      before: (host) =>
        `The email address or phone number for your health results at ${host} is about to change. If you want that, enter this code there:`,
      after: (minutes) =>
        `It works for ${minutes} minutes. If it was not you who asked, do not give the code to anybody, and call your clinic or health department.`,
    },
  },
  emailChanged: 'your health results now use another email address. Messages no longer come to this one.',
  notice: {
    subject: 'Your contact details were changed',
    text: (host, what) =>
      `Hello,\n\n${what} This was done at ${host}.\n\nIf it was not you, call your clinic or health department.`,
  },
};

const es: PatientWords = {
  code: {
    subject: 'Su código para ver sus resultados',
    before: (host) => `Hola:\n\nEste es su código para ver sus resultados de salud en ${host}:`,
    after: (minutes) =>
      `Sirve durante ${minutes} minutos y una sola vez. Después le preguntaremos su fecha de nacimiento.\n\nSi no pidió un código, no tiene que hacer nada. No se lo dé a nadie. Nadie de su clínica se lo pedirá nunca.`,
  },
  codeText: {
    before: (host) => `Su código para ver sus resultados de salud en ${host}:`,
    after: (minutes) => `Sirve durante ${minutes} minutos. No se lo dé a nadie.`,
  },
  locked: {
    subject: 'El acceso está en pausa',
    text: (host) =>
      `Hola:\n\nAlguien pidió un código para ver sus resultados de salud en ${host}. Hubo demasiados intentos incorrectos en las últimas 24 horas, así que por ahora no enviamos ninguno.\n\nInténtelo de nuevo mañana. Si no fue usted, o si necesita sus resultados antes, llame a su clínica o al departamento de salud.`,
  },
  contact: {
    new: {
      subject: 'Confirme que podemos escribirle aquí',
      before: (host) =>
        `Alguien quiere recibir aquí los mensajes sobre sus resultados de salud de ${host}. Si es usted, escriba allí este código:`,
      after: (minutes) => `Sirve durante ${minutes} minutos. Si no es usted, no tiene que hacer nada.`,
    },
    present: {
      subject: 'Sus datos de contacto van a cambiar',
      before: (host) =>
        `El correo o el teléfono para sus resultados de salud en ${host} va a cambiar. Si es lo que quiere, escriba allí este código:`,
      after: (minutes) =>
        `Sirve durante ${minutes} minutos. Si no fue usted quien lo pidió, no le dé el código a nadie y llame a su clínica o al departamento de salud.`,
    },
  },
  emailChanged:
    'Sus resultados de salud usan ahora otro correo electrónico. Los mensajes ya no llegan a este.',
  notice: {
    subject: 'Sus datos de contacto han cambiado',
    text: (host, what) =>
      `Hola:\n\n${what} Esto se hizo en ${host}.\n\nSi no fue usted, llame a su clínica o al departamento de salud.`,
  },
};

const ht: PatientWords = {
  code: {
    subject: 'Kòd ou pou wè rezilta ou yo',
    before: (host) => `Bonjou,\n\nMen kòd ou pou wè rezilta sante ou yo sou ${host}:`,
    after: (minutes) =>
      `Li bon pandan ${minutes} minit, yon sèl fwa. Apre sa, n ap mande w dat ou fèt.\n\nSi se pa ou ki te mande yon kòd, ou pa bezwen fè anyen. Pa bay pèsonn li. Pèsonn nan klinik ou a p ap janm mande w li.`,
  },
  codeText: {
    before: (host) => `Kòd ou pou wè rezilta sante ou yo sou ${host}:`,
    after: (minutes) => `Li bon pandan ${minutes} minit. Pa bay pèsonn li.`,
  },
  locked: {
    subject: 'Koneksyon an sou poz',
    text: (host) =>
      `Bonjou,\n\nYon moun mande yon kòd pou wè rezilta sante ou yo sou ${host}. Te gen twòp move esè nan dènye 24 èdtan yo, kidonk nou p ap voye kòd pou kounye a.\n\nEseye ankò demen. Si se pa te ou menm, oswa si ou bezwen rezilta ou yo pi vit, rele klinik ou a oswa depatman sante a.`,
  },
  contact: {
    new: {
      subject: 'Konfime nou ka jwenn ou isit la',
      before: (host) =>
        `Yon moun vle resevwa mesaj sou rezilta sante li yo sou ${host} isit la. Si se ou menm, ekri kòd sa a la:`,
      after: (minutes) => `Li bon pandan ${minutes} minit. Si se pa ou menm, ou pa bezwen fè anyen.`,
    },
    present: {
      subject: 'Enfòmasyon kontak ou yo pral chanje',
      before: (host) =>
        `Imèl oswa telefòn pou rezilta sante ou yo sou ${host} pral chanje. Si se sa ou vle, ekri kòd sa a la:`,
      after: (minutes) =>
        `Li bon pandan ${minutes} minit. Si se pa ou ki te mande sa, pa bay pèsonn kòd la, epi rele klinik ou a oswa depatman sante a.`,
    },
  },
  emailChanged: 'Rezilta sante ou yo sèvi ak yon lòt imèl kounye a. Mesaj yo p ap vini nan sa a ankò.',
  notice: {
    subject: 'Enfòmasyon kontak ou yo chanje',
    text: (host, what) =>
      `Bonjou,\n\n${what} Sa te fèt sou ${host}.\n\nSi se pa ou ki te fè l, rele klinik ou a oswa depatman sante a.`,
  },
};

const own = { en, es, ht };

/** The words of messages to a patient; what is not said otherwise is as for everybody. */
export function patientWords(languageCode: string): { words: MailWords; language: string } {
  const { words, language } = mailWords(languageCode);
  const { notice, ...others } = own[language as keyof typeof own];
  return { words: { ...words, ...others, notice: { ...words.notice, ...notice } }, language };
}
