/** What an account's owner is told by mail that it happened to the account. */
export const accountNotices = [
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-code-used',
  'recovery-codes-made',
  'second-factor-reset',
  'phone-changed',
  'phone-removed',
] as const;
export type AccountNotice = (typeof accountNotices)[number];

export interface MailWords {
  /** The message with a code; the code stands alone on a line between the two parts. [S10.3] */
  code: { subject: string; before: (host: string) => string; after: (minutes: number) => string };
  /** The same as a text message. */
  codeText: { before: (host: string) => string; after: (minutes: number) => string };
  locked: { subject: string; text: (host: string) => string };
  /** The codes of a change of address or telephone number, for the new place and for the present one. */
  contact: Record<
    'new' | 'present',
    { subject: string; before: (host: string) => string; after: (minutes: number) => string }
  >;
  /** Goes to the address that was given up. */
  emailChanged: string;
  notice: {
    subject: string;
    /** What has happened at the host; what to do if one did not do it oneself. */
    text: (host: string, what: string) => string;
    what: Record<AccountNotice, string>;
  };
}

const en: MailWords = {
  code: {
    subject: 'Your sign-in code',
    before: (host) => `Hello,\n\nthis is your code to sign in to Caseway at ${host}:`,
    after: (minutes) =>
      `It is good for ${minutes} minutes and for one sign-in. If you did not ask for it, you need not do anything: nobody can sign in without it.\n\nGive it to nobody. No one from Caseway will ever ask you for it.`,
  },
  codeText: {
    before: (host) => `Your code to sign in to Caseway at ${host}:`,
    after: (minutes) => `Good for ${minutes} minutes. Give it to nobody.`,
  },
  locked: {
    subject: 'Sign-in is paused',
    text: (host) =>
      `Hello,\n\nsomebody asked for a code to sign in to Caseway at ${host} with your account. Too many wrong codes were given for it within the last 24 hours, so no code is sent for the time being.\n\nTry again tomorrow, or sign in with a passkey if you have one. If it was not you who gave those codes, tell your administrator.`,
  },
  contact: {
    new: {
      subject: 'Confirm your new address',
      before: (host) =>
        `Somebody with an account at Caseway at ${host} wants to be reached here. If that is you, enter this code there:`,
      after: (minutes) => `It is good for ${minutes} minutes. If it is not you, you need not do anything.`,
    },
    present: {
      subject: 'Your address is about to be changed',
      before: (host) =>
        `The address or telephone number of your account at Caseway at ${host} is to be changed. If you want that, enter this code there:`,
      after: (minutes) =>
        `It is good for ${minutes} minutes. If it was not you who asked for it, end your other sessions in your profile and tell your administrator at once. Give the code to nobody.`,
    },
  },
  emailChanged: 'your account has another email address now. Codes and messages no longer come to this one.',
  notice: {
    subject: 'Your account was changed',
    text: (host, what) =>
      `Hello,\n\n${what} This was done at ${host}.\n\nIf it was not you, end your other sessions in your profile and tell your administrator at once.`,
    what: {
      'totp-added':
        'an authenticator app was added to your account. You are asked for its code when you sign in.',
      'totp-removed': 'the authenticator app was removed from your account.',
      'passkey-added': 'a passkey was added to your account. You can sign in with it alone.',
      'passkey-removed': 'a passkey was removed from your account.',
      'recovery-code-used':
        'a recovery code was used to sign in to your account. It is worth nothing any more.',
      'recovery-codes-made':
        'new recovery codes were made for your account. Those before are worth nothing any more.',
      'phone-changed': 'the telephone number of your account was changed.',
      'phone-removed': 'the telephone number was removed from your account.',
      'second-factor-reset':
        'an administrator took the second step of signing in away from your account, because somebody asked for it. You sign in with a code sent to you until you set it up again.',
    },
  },
};

const es: MailWords = {
  code: {
    subject: 'Su código de acceso',
    before: (host) => `Hola:\n\nEste es su código para iniciar sesión en Caseway en ${host}:`,
    after: (minutes) =>
      `Vale durante ${minutes} minutos y para un solo inicio de sesión. Si no lo ha pedido, no tiene que hacer nada: nadie puede iniciar sesión sin él.\n\nNo se lo dé a nadie. Nadie de Caseway se lo pedirá nunca.`,
  },
  codeText: {
    before: (host) => `Su código para iniciar sesión en Caseway en ${host}:`,
    after: (minutes) => `Vale durante ${minutes} minutos. No se lo dé a nadie.`,
  },
  locked: {
    subject: 'El inicio de sesión está en pausa',
    text: (host) =>
      `Hola:\n\nAlguien ha pedido un código para iniciar sesión en Caseway en ${host} con su cuenta. En las últimas 24 horas se han introducido demasiados códigos incorrectos, así que por ahora no se envía ninguno.\n\nInténtelo de nuevo mañana, o inicie sesión con una llave de acceso si la tiene. Si no fue usted quien introdujo esos códigos, avise a su administrador.`,
  },
  contact: {
    new: {
      subject: 'Confirme su nueva dirección',
      before: (host) =>
        `Alguien que tiene una cuenta de Caseway en ${host} quiere recibir aquí sus mensajes. Si es usted, ingrese allí este código:`,
      after: (minutes) => `Vale durante ${minutes} minutos. Si no es usted, no tiene que hacer nada.`,
    },
    present: {
      subject: 'Su dirección está por cambiar',
      before: (host) =>
        `Se va a cambiar el correo o el teléfono de su cuenta de Caseway en ${host}. Si es lo que quiere, ingrese allí este código:`,
      after: (minutes) =>
        `Vale durante ${minutes} minutos. Si no fue usted quien lo pidió, cierre sus otras sesiones en su perfil y avise de inmediato a su administrador. No le dé el código a nadie.`,
    },
  },
  emailChanged: 'Su cuenta tiene ahora otro correo electrónico. Los códigos y mensajes ya no llegan a este.',
  notice: {
    subject: 'Su cuenta ha cambiado',
    text: (host, what) =>
      `Hola:\n\n${what} Esto se hizo en ${host}.\n\nSi no fue usted, cierre sus otras sesiones en su perfil y avise de inmediato a su administrador.`,
    what: {
      'totp-added':
        'Se añadió una aplicación de autenticación a su cuenta. Al iniciar sesión se le pedirá su código.',
      'totp-removed': 'Se quitó la aplicación de autenticación de su cuenta.',
      'passkey-added': 'Se añadió una llave de acceso a su cuenta. Puede iniciar sesión solo con ella.',
      'passkey-removed': 'Se quitó una llave de acceso de su cuenta.',
      'recovery-code-used': 'Se usó un código de recuperación para entrar en su cuenta. Ya no sirve.',
      'recovery-codes-made':
        'Se crearon nuevos códigos de recuperación para su cuenta. Los anteriores ya no sirven.',
      'phone-changed': 'Se cambió el teléfono de su cuenta.',
      'phone-removed': 'Se quitó el teléfono de su cuenta.',
      'second-factor-reset':
        'Un administrador quitó de su cuenta el segundo paso del inicio de sesión, porque alguien lo pidió. Hasta que lo configure de nuevo, entrará con un código que se le envía.',
    },
  },
};

const ht: MailWords = {
  code: {
    subject: 'Kòd ou pou konekte',
    before: (host) => `Bonjou,\n\nMen kòd ou pou konekte nan Caseway sou ${host}:`,
    after: (minutes) =>
      `Li bon pandan ${minutes} minit epi pou yon sèl koneksyon. Si se pa ou ki te mande l, ou pa bezwen fè anyen: pèsonn pa ka konekte san li.\n\nPa bay pèsonn li. Pèsonn nan Caseway p ap janm mande w li.`,
  },
  codeText: {
    before: (host) => `Kòd ou pou konekte nan Caseway sou ${host}:`,
    after: (minutes) => `Li bon pandan ${minutes} minit. Pa bay pèsonn li.`,
  },
  locked: {
    subject: 'Koneksyon an sou poz',
    text: (host) =>
      `Bonjou,\n\nYon moun mande yon kòd pou konekte nan Caseway sou ${host} ak kont ou. Yo te antre twòp move kòd nan dènye 24 èdtan yo, kidonk nou p ap voye kòd pou kounye a.\n\nEseye ankò demen, oswa konekte ak yon kle aksè si ou gen youn. Si se pa ou ki te antre kòd sa yo, avize administratè w la.`,
  },
  contact: {
    new: {
      subject: 'Konfime nouvo adrès ou',
      before: (host) =>
        `Yon moun ki gen yon kont Caseway sou ${host} vle resevwa mesaj li yo isit la. Si se ou menm, antre kòd sa a la:`,
      after: (minutes) => `Li bon pandan ${minutes} minit. Si se pa ou menm, ou pa bezwen fè anyen.`,
    },
    present: {
      subject: 'Adrès ou prèt pou chanje',
      before: (host) =>
        `Yo pral chanje imèl oswa telefòn kont Caseway ou sou ${host}. Si se sa ou vle, antre kòd sa a la:`,
      after: (minutes) =>
        `Li bon pandan ${minutes} minit. Si se pa ou ki te mande sa, fèmen lòt sesyon ou yo nan pwofil ou epi avize administratè w la touswit. Pa bay pèsonn kòd la.`,
    },
  },
  emailChanged: 'Kont ou gen yon lòt imèl kounye a. Kòd ak mesaj yo p ap vini nan sa a ankò.',
  notice: {
    subject: 'Kont ou chanje',
    text: (host, what) =>
      `Bonjou,\n\n${what} Sa te fèt sou ${host}.\n\nSi se pa ou ki te fè l, fèmen lòt sesyon ou yo nan pwofil ou epi avize administratè w la touswit.`,
    what: {
      'totp-added':
        'Yo ajoute yon aplikasyon otantifikasyon sou kont ou. Lè w ap konekte, n ap mande w kòd li.',
      'totp-removed': 'Yo retire aplikasyon otantifikasyon an sou kont ou.',
      'passkey-added': 'Yo ajoute yon kle aksè sou kont ou. Ou ka konekte ak li sèlman.',
      'passkey-removed': 'Yo retire yon kle aksè sou kont ou.',
      'recovery-code-used': 'Yo sèvi ak yon kòd rekiperasyon pou konekte sou kont ou. Li pa vo anyen ankò.',
      'recovery-codes-made': 'Yo fè nouvo kòd rekiperasyon pou kont ou. Ansyen yo pa vo anyen ankò.',
      'phone-changed': 'Yo chanje nimewo telefòn kont ou.',
      'phone-removed': 'Yo retire nimewo telefòn lan sou kont ou.',
      'second-factor-reset':
        'Yon administratè retire dezyèm etap koneksyon an sou kont ou, paske yon moun te mande sa. W ap konekte ak yon kòd yo voye ba ou jiskaske ou mete l ankò.',
    },
  },
};

const languages = { en, es, ht };

/** The words of messages in the language of an account, English for one that nobody has written them in. */
export function mailWords(languageCode: string): { words: MailWords; language: string } {
  const base = languageCode.split('-')[0]!;
  const language = base in languages ? (base as keyof typeof languages) : 'en';
  return { words: languages[language], language };
}
