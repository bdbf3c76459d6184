import type { MailKind, MailText } from '@caseway/contract/mail-text';

/**
 * The product's own messages. Readers of British English get the American text. `[[call]]` is replaced by the locale
 * text `portal:mail.call`, in the words of the organisation's experience. No punctuation follows an address, because
 * telephones treat it as part of the link. [S1.5]
 */
export const builtInTexts: Readonly<Record<'en' | 'es' | 'ht', Readonly<Record<MailKind, MailText>>>> = {
  en: {
    'sign-in-code': {
      subject: 'Your sign-in code',
      body: 'Hello,\n\nThis is your code to sign in to Caseway:\n\n{{code}}\n\nIt works at {{host}} for {{minutes}} minutes and for one sign-in. If you did not ask for it, you do not need to do anything: nobody can sign in without it.\n\nDo not give it to anyone. Nobody from Caseway will ever ask you for it.',
    },
    'sign-in-text': {
      subject: '',
      body: 'Your code to sign in to Caseway:\n\n{{code}}\n\nWorks at {{host}} for {{minutes}} minutes. Do not give it to anyone.',
    },
    'sign-in-paused': {
      subject: 'Sign-in is paused',
      body: 'Hello,\n\nSomeone asked for a code to sign in to Caseway at {{host}} with your account. Too many wrong codes were entered in the last 24 hours, so we are sending no code for now.\n\nTry again tomorrow, or sign in with a passkey if you have one. If it was not you who entered those codes, tell your administrator.',
    },
    invitation: {
      subject: 'Your access to Caseway for {{tenant}}',
      body: 'Hello {{name}},\n\nYou have been invited to work in Caseway for:\n\n{{organizations}}\n\nOpen {{address}}/sign-in and enter your email address {{email}} there. You will get a one-time code by email; there is no password to choose.\n\nIf you did not expect this, tell the Caseway administrator of your organization. Nothing happens until you sign in.',
    },
    added: {
      subject: 'Your access to Caseway for {{tenant}}',
      body: 'Hello {{name}},\n\nYou can now also work in Caseway for:\n\n{{organizations}}\n\nSign in at {{address}} as you always do, and choose the organization at the top of the screen.',
    },
    offered: {
      subject: '{{tenant}} invites you to work in Caseway',
      body: 'Hello {{name}},\n\n{{tenant}} invites you to work in Caseway for:\n\n{{organizations}}\n\nSign in at {{address}} as you always do, open your profile, and accept or refuse the invitation.\n\nUntil you accept, nobody there finds out that you have an account. If you did not expect this, you do not need to do anything.',
    },
    'contact-new': {
      subject: 'Confirm your new address',
      body: 'Someone with a Caseway account at {{host}} wants to get messages here. If that is you, enter this code there:\n\n{{code}}\n\nIt works for {{minutes}} minutes. If it is not you, you do not need to do anything.',
    },
    'contact-present': {
      subject: 'Your address is about to change',
      body: 'The email address or phone number of your Caseway account at {{host}} is about to change. If you want that, enter this code there:\n\n{{code}}\n\nIt works for {{minutes}} minutes. If it was not you, end your other sessions in your profile and tell your administrator at once. Do not give the code to anyone.',
    },
    notice: {
      subject: 'Your account was changed',
      body: 'Hello,\n\nYour Caseway account at {{host}} was changed:\n\n{{what}}\n\nIf it was not you, end your other sessions in your profile and tell your administrator at once.',
    },
    inbox: {
      subject: 'Something is waiting for you in Caseway',
      body: 'Hello,\n\nNew in Caseway for you at {{tenant}}:\n\n{{what}}\n\nSee it here:\n\n{{address}}/inbox\n\nIn your profile you choose what we write to you about.',
    },
    'patient-invitation': {
      subject: 'See your health results from {{tenant}}',
      body: 'Hello,\n\nYou can now see your health results from {{tenant}} on your phone or computer.\n\nOpen {{address}} and enter this email address. You will get a code. Then you are asked for your date of birth. There is no password.\n\nYour patient number is {{number}}. You need it only if someone else in your family uses the same email address or phone.\n\nIf this message is not for you, you do not need to do anything.',
    },
    'patient-invitation-text': {
      subject: '',
      body: '{{tenant}}: you can now see your health results. Sign in with this phone number and your date of birth. Patient number: {{number}}\n\n{{address}}',
    },
    'patient-code': {
      subject: 'Your code for your health results',
      body: 'Hello,\n\nThis is your code to see your health results:\n\n{{code}}\n\nIt works at {{host}} for {{minutes}} minutes and only once. After it you are asked for your date of birth.\n\nIf you did not ask for a code, you do not need to do anything. Do not give it to anyone. [[nobodyAsks]]',
    },
    'patient-text': {
      subject: '',
      body: 'Your code for your health results:\n\n{{code}}\n\nWorks at {{host}} for {{minutes}} minutes. Do not give it to anyone.',
    },
    'patient-paused': {
      subject: 'Signing in is paused',
      body: 'Hello,\n\nSomeone asked for a code at {{host}} to see your health results. There were too many wrong tries in the last 24 hours, so we are sending no code for now.\n\nTry again tomorrow. If it was not you, or if you need your results sooner, [[call]].',
    },
    'patient-contact-new': {
      subject: 'Confirm that we can reach you here',
      body: 'Someone wants to get messages about their health results from {{host}} here. If that is you, enter this code there:\n\n{{code}}\n\nIt works for {{minutes}} minutes. If it is not you, you do not need to do anything.',
    },
    'patient-contact-present': {
      subject: 'Your contact details are about to change',
      body: 'The email address or phone number for your health results at {{host}} is about to change. If you want that, enter this code there:\n\n{{code}}\n\nIt works for {{minutes}} minutes. If it was not you, do not give the code to anyone, and [[call]].',
    },
    'patient-reminder': {
      subject: 'Your visit with {{tenant}}',
      body: 'Hello,\n\nYou have a visit with {{tenant}}:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nIf you need another time or cannot come, see your visits there, or [[call]].',
    },
    'patient-visit-moved': {
      subject: 'New time of your visit with {{tenant}}',
      body: 'Hello,\n\nYour visit with {{tenant}} is now at this time:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nIf you need another time or cannot come, see your visits there, or [[call]].',
    },
    'patient-visit-cancelled': {
      subject: 'Your visit with {{tenant}} is canceled',
      body: 'Hello,\n\nYour visit with {{tenant}} at this time will not take place:\n\n{{when}}\n\nSee your visits here:\n\n{{address}}\n\nFor another time or a question, [[call]].',
    },
    'patient-news': {
      subject: 'Something new for you from {{tenant}}',
      body: 'Hello,\n\nThere is something new for you from {{tenant}}. Sign in to see it:\n\n{{address}}\n\nIf you have a question, [[call]]. You can also turn off these emails there.',
    },
    'patient-notice': {
      subject: 'Your contact details were changed',
      body: 'Hello,\n\nA message from {{host}} about your health results:\n\n{{what}}\n\nIf it was not you, [[call]].',
    },
  },
  es: {
    'sign-in-code': {
      subject: 'Su código de acceso',
      body: 'Hola:\n\nEste es su código para iniciar sesión en Caseway:\n\n{{code}}\n\nVale en {{host}} durante {{minutes}} minutos y para un solo inicio de sesión. Si no lo ha pedido, no tiene que hacer nada: nadie puede iniciar sesión sin él.\n\nNo se lo dé a nadie. Nadie de Caseway se lo pedirá nunca.',
    },
    'sign-in-text': {
      subject: '',
      body: 'Su código para iniciar sesión en Caseway:\n\n{{code}}\n\nVale en {{host}} durante {{minutes}} minutos. No se lo dé a nadie.',
    },
    'sign-in-paused': {
      subject: 'El inicio de sesión está en pausa',
      body: 'Hola:\n\nAlguien ha pedido un código para iniciar sesión en Caseway en {{host}} con su cuenta. En las últimas 24 horas se han ingresado demasiados códigos incorrectos, así que por ahora no se envía ninguno.\n\nInténtelo de nuevo mañana, o inicie sesión con una llave de acceso si la tiene. Si no fue usted quien ingresó esos códigos, avise a quien administra su organización.',
    },
    invitation: {
      subject: 'Su acceso a Caseway para {{tenant}}',
      body: 'Hola, {{name}}:\n\nSe le ha invitado a trabajar en Caseway para:\n\n{{organizations}}\n\nAbra {{address}}/sign-in e ingrese allí su dirección de correo {{email}} para continuar. Recibirá un código de un solo uso por correo; no hay que elegir contraseña.\n\nSi no esperaba este mensaje, avise a quien administra Caseway en su organización. No ocurre nada hasta que inicie sesión.',
    },
    added: {
      subject: 'Su acceso a Caseway para {{tenant}}',
      body: 'Hola, {{name}}:\n\nAhora también puede trabajar en Caseway para:\n\n{{organizations}}\n\nInicie sesión en {{address}} como siempre y elija la organización en la parte superior de la pantalla.',
    },
    offered: {
      subject: '{{tenant}} le ofrece trabajar en Caseway',
      body: 'Hola, {{name}}:\n\n{{tenant}} le ofrece trabajar en Caseway para:\n\n{{organizations}}\n\nInicie sesión en {{address}} como siempre, abra su perfil y acepte o rechace la invitación.\n\nMientras no acepte, nadie de allí sabrá que usted tiene una cuenta. Si no esperaba este mensaje, no tiene que hacer nada.',
    },
    'contact-new': {
      subject: 'Confirme su nueva dirección',
      body: 'Alguien que tiene una cuenta de Caseway en {{host}} quiere recibir aquí sus mensajes. Si es usted, ingrese allí este código:\n\n{{code}}\n\nVale durante {{minutes}} minutos. Si no es usted, no tiene que hacer nada.',
    },
    'contact-present': {
      subject: 'Su dirección está por cambiar',
      body: 'El correo o el teléfono de su cuenta de Caseway en {{host}} va a cambiar. Si es lo que quiere, ingrese allí este código:\n\n{{code}}\n\nVale durante {{minutes}} minutos. Si no fue usted quien lo pidió, cierre sus otras sesiones en su perfil y avise de inmediato a quien administra su organización. No le dé el código a nadie.',
    },
    notice: {
      subject: 'Su cuenta ha cambiado',
      body: 'Hola:\n\nSu cuenta de Caseway en {{host}} ha cambiado:\n\n{{what}}\n\nSi no fue usted, cierre sus otras sesiones en su perfil y avise de inmediato a quien administra su organización.',
    },
    inbox: {
      subject: 'Hay novedades para usted en Caseway',
      body: 'Hola:\n\nNovedades para usted en Caseway, de {{tenant}}:\n\n{{what}}\n\nConsúltelas aquí:\n\n{{address}}/inbox\n\nEn su perfil puede elegir sobre qué le escribimos.',
    },
    'patient-invitation': {
      subject: 'Vea sus resultados de salud de {{tenant}}',
      body: 'Hola:\n\nYa puede ver sus resultados de salud de {{tenant}} en su teléfono o computadora.\n\nAbra {{address}} y escriba este correo electrónico. Recibirá un código. Después le preguntaremos su fecha de nacimiento. No hay contraseña.\n\nSu número de paciente es {{number}}. Solo lo necesita si alguien más de su familia usa el mismo correo o teléfono.\n\nSi este mensaje no es para usted, no tiene que hacer nada.',
    },
    'patient-invitation-text': {
      subject: '',
      body: '{{tenant}}: ya puede ver sus resultados de salud. Entre con este teléfono y su fecha de nacimiento. Nro. de paciente: {{number}}\n\n{{address}}',
    },
    'patient-code': {
      subject: 'Su código para ver sus resultados',
      body: 'Hola:\n\nEste es su código para ver sus resultados de salud:\n\n{{code}}\n\nSirve en {{host}} durante {{minutes}} minutos y una sola vez. Después le preguntaremos su fecha de nacimiento.\n\nSi no pidió un código, no tiene que hacer nada. No se lo dé a nadie. [[nobodyAsks]]',
    },
    'patient-text': {
      subject: '',
      body: 'Su código para ver sus resultados de salud:\n\n{{code}}\n\nSirve en {{host}} durante {{minutes}} minutos. No se lo dé a nadie.',
    },
    'patient-paused': {
      subject: 'El acceso está en pausa',
      body: 'Hola:\n\nAlguien pidió un código en {{host}} para ver sus resultados de salud. Hubo demasiados intentos incorrectos en las últimas 24 horas, así que por ahora no enviamos ninguno.\n\nInténtelo de nuevo mañana. Si no fue usted, o si necesita sus resultados antes, [[call]].',
    },
    'patient-contact-new': {
      subject: 'Confirme que podemos escribirle aquí',
      body: 'Alguien quiere recibir aquí los mensajes de {{host}} sobre sus resultados de salud. Si es usted, escriba allí este código:\n\n{{code}}\n\nSirve durante {{minutes}} minutos. Si no es usted, no tiene que hacer nada.',
    },
    'patient-contact-present': {
      subject: 'Sus datos de contacto van a cambiar',
      body: 'El correo o el teléfono para sus resultados de salud en {{host}} va a cambiar. Si es lo que quiere, escriba allí este código:\n\n{{code}}\n\nSirve durante {{minutes}} minutos. Si no fue usted quien lo pidió, no le dé el código a nadie y [[call]].',
    },
    'patient-reminder': {
      subject: 'Su visita con {{tenant}}',
      body: 'Hola:\n\nUsted tiene una visita con {{tenant}}:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nSi necesita otra hora o no puede venir, vea allí sus visitas o [[call]].',
    },
    'patient-visit-moved': {
      subject: 'Nueva hora de su visita con {{tenant}}',
      body: 'Hola:\n\nSu visita con {{tenant}} es ahora a esta hora:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nSi necesita otra hora o no puede venir, vea allí sus visitas o [[call]].',
    },
    'patient-visit-cancelled': {
      subject: 'Su visita con {{tenant}} se canceló',
      body: 'Hola:\n\nSu visita con {{tenant}} a esta hora no se realizará:\n\n{{when}}\n\nVea sus visitas aquí:\n\n{{address}}\n\nSi necesita otra hora o tiene preguntas, [[call]].',
    },
    'patient-news': {
      subject: 'Algo nuevo para usted de {{tenant}}',
      body: 'Hola:\n\n{{tenant}} tiene algo nuevo para usted. Inicie sesión para verlo:\n\n{{address}}\n\nSi tiene preguntas, [[call]]. Allí también puede desactivar estos correos.',
    },
    'patient-notice': {
      subject: 'Sus datos de contacto han cambiado',
      body: 'Hola:\n\nUn mensaje de {{host}} sobre sus resultados de salud:\n\n{{what}}\n\nSi no fue usted, [[call]].',
    },
  },
  ht: {
    'sign-in-code': {
      subject: 'Kòd ou pou konekte',
      body: 'Bonjou,\n\nMen kòd ou pou konekte nan Caseway:\n\n{{code}}\n\nLi bon sou {{host}} pandan {{minutes}} minit epi pou yon sèl koneksyon. Si se pa ou ki te mande l, ou pa bezwen fè anyen: pèsonn pa ka konekte san li.\n\nPa bay pèsonn li. Pèsonn nan Caseway p ap janm mande w li.',
    },
    'sign-in-text': {
      subject: '',
      body: 'Kòd ou pou konekte nan Caseway:\n\n{{code}}\n\nLi bon sou {{host}} pandan {{minutes}} minit. Pa bay pèsonn li.',
    },
    'sign-in-paused': {
      subject: 'Koneksyon an sou poz',
      body: 'Bonjou,\n\nYon moun mande yon kòd pou konekte nan Caseway sou {{host}} ak kont ou. Yo te antre twòp move kòd nan dènye 24 èdtan yo, kidonk nou p ap voye kòd pou kounye a.\n\nEseye ankò demen, oswa konekte ak yon kle aksè si ou gen youn. Si se pa ou ki te antre kòd sa yo, avize administratè w la.',
    },
    invitation: {
      subject: 'Aksè ou nan Caseway pou {{tenant}}',
      body: 'Bonjou {{name}},\n\nYo envite w travay nan Caseway pou:\n\n{{organizations}}\n\nLouvri {{address}}/sign-in epi antre adrès imèl ou {{email}} nan paj la. W ap resevwa yon kòd pou yon sèl fwa nan imèl; pa gen modpas pou chwazi.\n\nSi ou pa t ap tann mesaj sa a, avize moun ki okipe Caseway nan òganizasyon ou an. Anyen p ap fèt toutotan ou pa konekte.',
    },
    added: {
      subject: 'Aksè ou nan Caseway pou {{tenant}}',
      body: 'Bonjou {{name}},\n\nKounye a ou ka travay nan Caseway pou:\n\n{{organizations}}\n\nKonekte sou {{address}} jan ou toujou fè l, epi chwazi òganizasyon an anlè ekran an.',
    },
    offered: {
      subject: '{{tenant}} envite w nan Caseway',
      body: 'Bonjou {{name}},\n\n{{tenant}} envite w travay nan Caseway pou:\n\n{{organizations}}\n\nKonekte sou {{address}} jan ou toujou fè a, louvri pwofil ou, epi aksepte oswa refize envitasyon an.\n\nToutotan ou pa aksepte, pèsonn laba a p ap konnen ou gen yon kont. Si ou pa t ap tann mesaj sa a, ou pa bezwen fè anyen.',
    },
    'contact-new': {
      subject: 'Konfime nouvo adrès ou',
      body: 'Yon moun ki gen yon kont Caseway sou {{host}} vle resevwa mesaj li yo isit la. Si se ou menm, antre kòd sa a la:\n\n{{code}}\n\nLi bon pandan {{minutes}} minit. Si se pa ou menm, ou pa bezwen fè anyen.',
    },
    'contact-present': {
      subject: 'Adrès ou prèt pou chanje',
      body: 'Imèl oswa telefòn kont Caseway ou sou {{host}} pral chanje. Si se sa ou vle, antre kòd sa a la:\n\n{{code}}\n\nLi bon pandan {{minutes}} minit. Si se pa ou ki te mande sa, fèmen lòt sesyon ou yo nan pwofil ou epi avize administratè w la touswit. Pa bay pèsonn kòd la.',
    },
    notice: {
      subject: 'Kont ou chanje',
      body: 'Bonjou,\n\nKont Caseway ou sou {{host}} chanje:\n\n{{what}}\n\nSi se pa ou ki te fè l, fèmen lòt sesyon ou yo nan pwofil ou epi avize administratè w la touswit.',
    },
    inbox: {
      subject: 'Gen nouvo bagay k ap tann ou nan Caseway',
      body: 'Bonjou,\n\nMen sa ki nouvo pou ou nan Caseway, nan {{tenant}}:\n\n{{what}}\n\nGade yo isit la:\n\n{{address}}/inbox\n\nNan pwofil ou, ou ka chwazi sa n ap ekri w sou li.',
    },
    'patient-invitation': {
      subject: 'Gade rezilta sante ou yo nan {{tenant}}',
      body: 'Bonjou,\n\nKounye a ou ka wè rezilta sante ou yo nan {{tenant}} sou telefòn ou oswa òdinatè ou.\n\nLouvri {{address}} epi ekri imèl sa a. W ap resevwa yon kòd. Apre sa, n ap mande w dat ou fèt. Pa gen modpas.\n\nNimewo pasyan ou se {{number}}. Ou bezwen l sèlman si yon lòt moun nan fanmi ou sèvi ak menm imèl la oswa menm telefòn nan.\n\nSi mesaj sa a pa pou ou, ou pa bezwen fè anyen.',
    },
    'patient-invitation-text': {
      subject: '',
      body: '{{tenant}}: kounye a ou ka wè rezilta sante ou yo. Konekte ak nimewo telefòn sa a epi dat ou fèt. Nimewo pasyan: {{number}}\n\n{{address}}',
    },
    'patient-code': {
      subject: 'Kòd ou pou wè rezilta ou yo',
      body: 'Bonjou,\n\nMen kòd ou pou wè rezilta sante ou yo:\n\n{{code}}\n\nLi bon sou {{host}} pandan {{minutes}} minit, yon sèl fwa. Apre sa, n ap mande w dat ou fèt.\n\nSi se pa ou ki te mande yon kòd, ou pa bezwen fè anyen. Pa bay pèsonn li. [[nobodyAsks]]',
    },
    'patient-text': {
      subject: '',
      body: 'Kòd ou pou wè rezilta sante ou yo:\n\n{{code}}\n\nLi bon sou {{host}} pandan {{minutes}} minit. Pa bay pèsonn li.',
    },
    'patient-paused': {
      subject: 'Koneksyon an sou poz',
      body: 'Bonjou,\n\nYon moun mande yon kòd sou {{host}} pou wè rezilta sante ou yo. Te gen twòp move esè nan dènye 24 èdtan yo, kidonk nou p ap voye kòd pou kounye a.\n\nEseye ankò demen. Si se pa te ou menm, oswa si ou bezwen rezilta ou yo pi vit, [[call]].',
    },
    'patient-contact-new': {
      subject: 'Konfime nou ka jwenn ou isit la',
      body: 'Yon moun vle resevwa mesaj sou rezilta sante li yo sou {{host}} isit la. Si se ou menm, ekri kòd sa a la:\n\n{{code}}\n\nLi bon pandan {{minutes}} minit. Si se pa ou menm, ou pa bezwen fè anyen.',
    },
    'patient-contact-present': {
      subject: 'Enfòmasyon kontak ou yo pral chanje',
      body: 'Imèl oswa telefòn pou rezilta sante ou yo sou {{host}} pral chanje. Si se sa ou vle, ekri kòd sa a la:\n\n{{code}}\n\nLi bon pandan {{minutes}} minit. Si se pa ou ki te mande sa, pa bay pèsonn kòd la, epi [[call]].',
    },
    'patient-reminder': {
      subject: 'Vizit ou ak {{tenant}}',
      body: 'Bonjou,\n\nOu gen yon vizit ak {{tenant}}:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nSi ou bezwen yon lòt lè oswa ou pa ka vini, gade vizit ou yo la, oswa [[call]].',
    },
    'patient-visit-moved': {
      subject: 'Nouvo lè vizit ou ak {{tenant}}',
      body: 'Bonjou,\n\nKounye a, men lè vizit ou ak {{tenant}}:\n\n{{when}}\n\n{{how}}\n\n{{address}}\n\nSi ou bezwen yon lòt lè oswa ou pa ka vini, gade vizit ou yo la, oswa [[call]].',
    },
    'patient-visit-cancelled': {
      subject: 'Vizit ou ak {{tenant}} anile',
      body: 'Bonjou,\n\nVizit ou ak {{tenant}} nan lè sa a p ap fèt:\n\n{{when}}\n\nGade vizit ou yo isit la:\n\n{{address}}\n\nSi ou bezwen yon lòt lè oswa ou gen kesyon, [[call]].',
    },
    'patient-news': {
      subject: 'Yon bagay tou nèf pou ou nan men {{tenant}}',
      body: 'Bonjou,\n\n{{tenant}} gen yon bagay tou nèf pou ou. Konekte pou wè l:\n\n{{address}}\n\nSi ou gen kesyon, [[call]]. Ou ka fèmen imèl sa yo la tou.',
    },
    'patient-notice': {
      subject: 'Enfòmasyon kontak ou yo chanje',
      body: 'Bonjou,\n\nYon mesaj {{host}} voye ba ou sou rezilta sante ou yo:\n\n{{what}}\n\nSi se pa ou ki te fè l, [[call]].',
    },
  },
};
