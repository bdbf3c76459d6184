/** The texts of messages about a recovery. A message to an unconfirmed address names no person. [P12] */
interface RecoveryWords {
  code(values: { host: string; address: string; code: string; from: string; until: string }): Words;
  /** To the previously known addresses: it was approved, and how to stop it. */
  approved(values: { host: string; address: string; code: string; from: string }): Words;
  completed(values: { host: string }): Words;
  /** To people who can decide. */
  requested(values: { address: string }): Words;
  cancelled(values: { address: string }): Words;
}
interface Words {
  subject: string;
  text: string;
}

const words: Readonly<Record<'en' | 'es' | 'ht', RecoveryWords>> = {
  en: {
    code: ({ host, address, code, from, until }) => ({
      subject: 'Your code to get back into your account',
      text: `Hello,\n\nSomeone who lost every way to sign in to Caseway at ${host} asked us to write to this address, and an administrator has approved it. If that was you, open\n\n${address}/sign-in/recovery\n\nand enter this code:\n\n${code}\n\nIt can be used once, from ${from} until ${until}. Your earlier ways to sign in then stop working, and every open session ends.\n\nIf it was not you, do nothing. Do not give the code to anyone. Nobody from Caseway will ever ask you for it.`,
    }),
    approved: ({ host, address, code, from }) => ({
      subject: 'Someone is about to take over your account',
      text: `Hello,\n\nSomeone said that they have lost every way to sign in at ${host} to your Caseway account, and an administrator has approved that they get in with a new address. They can do so from ${from}.\n\nIf that is not you, stop it now: open\n\n${address}/sign-in/stop\n\nand enter this code:\n\n${code}\n\nThen tell your administrator at once. If it is you, you do not need to do anything here.`,
    }),
    completed: ({ host }) => ({
      subject: 'Your account was recovered',
      text: `Hello,\n\nYour Caseway account at ${host} was recovered with a new address. The earlier ways to sign in no longer work, and messages no longer come here.\n\nIf it was not you, tell your administrator at once: they can end the account’s access.`,
    }),
    requested: ({ address }) => ({
      subject: 'Caseway: someone asks to get back into an account',
      text: `Hello,\n\nSomeone says that they have lost every way to sign in to an account that you administer. See who it is about and what they wrote:\n\n${address}/admin/users/recovery\n\nBefore you decide, check in another way who is asking: call a number that you already had, not one that they give you.`,
    }),
    cancelled: ({ address }) => ({
      subject: 'Caseway: the recovery of an account was stopped',
      text: `Hello,\n\nThe recovery of an account that you administer was approved, and its owner has stopped it. Someone may have tried to take the account over. See it here:\n\n${address}/admin/users/recovery`,
    }),
  },
  es: {
    code: ({ host, address, code, from, until }) => ({
      subject: 'Su código para volver a entrar en su cuenta',
      text: `Hola:\n\nAlguien que perdió todas las formas de iniciar sesión en Caseway en ${host} pidió que se le escriba aquí, y una persona que administra cuentas lo aprobó. Si fue usted, abra\n\n${address}/sign-in/recovery\n\ne ingrese este código:\n\n${code}\n\nSirve una sola vez, desde ${from} hasta ${until}. Lo que usaba antes para iniciar sesión deja de funcionar y se cierran todas las sesiones abiertas.\n\nSi no fue usted, no haga nada. No le dé el código a nadie. Nadie de Caseway se lo pedirá nunca.`,
    }),
    approved: ({ host, address, code, from }) => ({
      subject: 'Alguien está por entrar en su cuenta',
      text: `Hola:\n\nAlguien dijo que perdió todas las formas de iniciar sesión en ${host} con su cuenta de Caseway, y una persona que administra cuentas aprobó que entre con una dirección nueva. Podrá hacerlo a partir de ${from}.\n\nSi no es usted, deténgalo ahora: abra\n\n${address}/sign-in/stop\n\ne ingrese este código:\n\n${code}\n\nDespués avise de inmediato a quien administra su organización. Si es usted, aquí no tiene que hacer nada.`,
    }),
    completed: ({ host }) => ({
      subject: 'Se recuperó su cuenta',
      text: `Hola:\n\nSe recuperó su cuenta de Caseway en ${host} con una dirección nueva. Lo que se usaba antes para iniciar sesión ya no funciona y los mensajes ya no llegan aquí.\n\nSi no fue usted, avise de inmediato a quien administra su organización: puede retirar el acceso de la cuenta.`,
    }),
    requested: ({ address }) => ({
      subject: 'Caseway: alguien pide volver a entrar en una cuenta',
      text: `Hola:\n\nAlguien dice que perdió todas las formas de iniciar sesión en una cuenta que usted administra. De quién se trata y qué escribió está aquí:\n\n${address}/admin/users/recovery\n\nAntes de decidir, compruebe por otro medio quién lo pide: llame a un número que ya conocía, no a uno que le den.`,
    }),
    cancelled: ({ address }) => ({
      subject: 'Caseway: se detuvo la recuperación de una cuenta',
      text: `Hola:\n\nSe había aprobado la recuperación de una cuenta que usted administra y su titular la detuvo. Es posible que alguien intentara apoderarse de ella. Está aquí:\n\n${address}/admin/users/recovery`,
    }),
  },
  ht: {
    code: ({ host, address, code, from, until }) => ({
      subject: 'Kòd ou pou antre nan kont ou ankò',
      text: `Bonjou,\n\nYon moun ki pèdi tout fason pou konekte nan Caseway sou ${host} mande pou yo ekri l isit la, epi yon administratè dakò. Si se ou menm, louvri\n\n${address}/sign-in/recovery\n\nepi antre kòd sa a:\n\n${code}\n\nLi sèvi yon sèl fwa, soti ${from} rive ${until}. Sa ou te konn sèvi pou konekte anvan p ap mache ankò, epi tout sesyon ki louvri yo ap fèmen.\n\nSi se pa ou menm, pa fè anyen. Pa bay pèsonn kòd la. Pèsonn nan Caseway p ap janm mande w li.`,
    }),
    approved: ({ host, address, code, from }) => ({
      subject: 'Yon moun prèt pou antre nan kont ou',
      text: `Bonjou,\n\nYon moun di li pèdi tout fason pou konekte sou ${host} nan kont Caseway ou, epi yon administratè dakò pou l antre ak yon nouvo adrès. Li ka fè sa apati ${from}.\n\nSi se pa ou menm, kanpe sa kounye a: louvri\n\n${address}/sign-in/stop\n\nepi antre kòd sa a:\n\n${code}\n\nApre sa avize administratè w la touswit. Si se ou menm, ou pa bezwen fè anyen isit la.`,
    }),
    completed: ({ host }) => ({
      subject: 'Yo rekipere kont ou',
      text: `Bonjou,\n\nYo rekipere kont Caseway ou sou ${host} ak yon nouvo adrès. Sa yo te konn sèvi pou konekte anvan pa mache ankò, epi mesaj yo p ap vini isit la ankò.\n\nSi se pa ou menm, avize administratè w la touswit: li ka retire aksè kont lan.`,
    }),
    requested: ({ address }) => ({
      subject: 'Caseway: yon moun mande pou l antre nan yon kont ankò',
      text: `Bonjou,\n\nYon moun di li pèdi tout fason pou konekte nan yon kont ou administre. Ki kont ak sa li ekri, men kote sa ye:\n\n${address}/admin/users/recovery\n\nAnvan ou deside, chèche konnen yon lòt jan ki moun k ap mande: rele yon nimewo ou te konnen deja, pa yon nimewo yo ba ou.`,
    }),
    cancelled: ({ address }) => ({
      subject: 'Caseway: yo kanpe rekiperasyon yon kont',
      text: `Bonjou,\n\nYo te dakò pou rekipere yon kont ou administre, epi mèt kont lan kanpe sa. Petèt yon moun te eseye pran kont lan. Men kote sa ye:\n\n${address}/admin/users/recovery`,
    }),
  },
};

/** The words in a language, its base, or English. */
export function recoveryWords(languageCode: string): { language: string; words: RecoveryWords } {
  const base = languageCode.split('-')[0]!;
  const language = Object.hasOwn(words, base) ? (base as keyof typeof words) : 'en';
  return { language, words: words[language] };
}
