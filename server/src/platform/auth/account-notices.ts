/** Account events that its owner gets an email about. */
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
  'locked',
] as const;
export type AccountNotice = (typeof accountNotices)[number];

/** `email-changed` goes to the previous address. */
type Notice = AccountNotice | 'email-changed';

/** What happened, in the words of the message `notice`. */
const noticeWords: Readonly<Record<'en' | 'es' | 'ht', Readonly<Record<Notice, string>>>> = {
  en: {
    'totp-added':
      'An authenticator app was added to your account. You are asked for its code when you sign in.',
    'totp-removed': 'The authenticator app was removed from your account.',
    'passkey-added': 'A passkey was added to your account. You can sign in with it alone.',
    'passkey-removed': 'A passkey was removed from your account.',
    'recovery-code-used': 'A recovery code was used to sign in to your account. It no longer works.',
    'recovery-codes-made': 'New recovery codes were made for your account. The earlier ones no longer work.',
    'phone-changed': 'The phone number of your account was changed.',
    'phone-removed': 'The phone number was removed from your account.',
    locked:
      'Too many wrong codes were entered for your account, so no code opens it for up to 24 hours. A passkey still does, and an administrator of your organization can unlock it.',
    'second-factor-reset':
      'An administrator reset two-step sign-in for your account, because someone asked for it. Until you set it up again, you sign in with a code that we send to you.',
    'email-changed':
      'Your account now has another email address. Codes and messages no longer come to this one.',
  },
  es: {
    'totp-added':
      'Se agregó una aplicación de autenticación a su cuenta. Al iniciar sesión se le pedirá su código.',
    'totp-removed': 'Se quitó la aplicación de autenticación de su cuenta.',
    'passkey-added': 'Se agregó una llave de acceso a su cuenta. Puede iniciar sesión solo con ella.',
    'passkey-removed': 'Se quitó una llave de acceso de su cuenta.',
    'recovery-code-used': 'Se usó un código de recuperación para entrar en su cuenta. Ya no sirve.',
    'recovery-codes-made':
      'Se crearon nuevos códigos de recuperación para su cuenta. Los anteriores ya no sirven.',
    'phone-changed': 'Se cambió el teléfono de su cuenta.',
    'phone-removed': 'Se quitó el teléfono de su cuenta.',
    locked:
      'Se ingresaron demasiados códigos incorrectos para su cuenta, así que ningún código la abre durante un máximo de 24 horas. Una llave de acceso sí, y quien administra su organización puede desbloquearla.',
    'second-factor-reset':
      'Quien administra su organización restableció el inicio de sesión en dos pasos de su cuenta, porque alguien lo pidió. Hasta que lo configure de nuevo, iniciará sesión con un código que le enviamos.',
    'email-changed':
      'Su cuenta tiene ahora otro correo electrónico. Los códigos y mensajes ya no llegan a este.',
  },
  ht: {
    'totp-added':
      'Yo ajoute yon aplikasyon otantifikasyon sou kont ou. Lè w ap konekte, n ap mande w kòd li.',
    'totp-removed': 'Yo retire aplikasyon otantifikasyon an sou kont ou.',
    'passkey-added': 'Yo ajoute yon kle aksè sou kont ou. Ou ka konekte ak li sèlman.',
    'passkey-removed': 'Yo retire yon kle aksè sou kont ou.',
    'recovery-code-used': 'Yo sèvi ak yon kòd rekiperasyon pou konekte sou kont ou. Li pa vo anyen ankò.',
    'recovery-codes-made': 'Yo fè nouvo kòd rekiperasyon pou kont ou. Ansyen yo pa vo anyen ankò.',
    'phone-changed': 'Yo chanje nimewo telefòn kont ou.',
    'phone-removed': 'Yo retire nimewo telefòn lan sou kont ou.',
    locked:
      'Yo antre twòp move kòd pou kont ou, kidonk okenn kòd pa ka louvri l pandan 24 èdtan omaksimòm. Yon kle aksè toujou ka louvri l, epi yon administratè nan òganizasyon w lan ka debloke l.',
    'second-factor-reset':
      'Yon administratè reyinisyalize koneksyon an de etap sou kont ou, paske yon moun te mande sa. W ap konekte ak yon kòd nou voye ba ou jiskaske ou mete l ankò.',
    'email-changed': 'Kont ou gen yon lòt imèl kounye a. Kòd ak mesaj yo p ap vini nan sa a ankò.',
  },
};

/** Patients think of their results, not of an account. */
const patientWords: Readonly<Record<'en' | 'es' | 'ht', Partial<Readonly<Record<Notice, string>>>>> = {
  en: {
    'email-changed':
      'Your health results now use another email address. Messages no longer come to this one.',
    locked:
      'There were too many wrong tries to see your health results, so nobody can sign in with a code for up to 24 hours. Try again after that.',
  },
  es: {
    'email-changed':
      'Sus resultados de salud usan ahora otro correo electrónico. Los mensajes ya no llegan a este.',
    locked:
      'Hubo demasiados intentos incorrectos de ver sus resultados de salud, así que nadie puede entrar con un código durante un máximo de 24 horas. Inténtelo de nuevo después.',
  },
  ht: {
    'email-changed': 'Rezilta sante ou yo sèvi ak yon lòt imèl kounye a. Mesaj yo p ap vini nan sa a ankò.',
    locked:
      'Te gen twòp move esè pou wè rezilta sante ou yo, kidonk pèsonn pa ka konekte ak yon kòd pandan 24 èdtan omaksimòm. Eseye ankò apre sa.',
  },
};

/** The sentence for an event, in English if the language has none. */
export function noticeIn(languageCode: string, notice: Notice, isPatient: boolean): string {
  const base = languageCode.split('-')[0]!;
  const language = base in noticeWords ? (base as keyof typeof noticeWords) : 'en';
  return (isPatient ? patientWords[language][notice] : undefined) ?? noticeWords[language][notice];
}
