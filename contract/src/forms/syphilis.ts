import { any, given, has, is, oneOf } from '../expression.ts';
import type { Form, Item, ItemType, Option } from '../form.ts';
import type { Labelled } from '../label.ts';

const w = (label: string, es: string, ht: string, british?: string): Labelled => ({
  label,
  labelI18N: { es, ht, ...(british !== undefined && { 'en-GB': british }) },
});
const o = (code: string, ...words: Parameters<typeof w>): Option => ({ code, words: w(...words) });
const q = (linkId: string, type: ItemType, words: Labelled, more: Partial<Item> = {}): Item => ({
  linkId,
  type,
  words,
  ...more,
});
const group = (linkId: string, words: Labelled, items: readonly Item[], more: Partial<Item> = {}): Item =>
  q(linkId, 'group', words, { items, ...more });
const yes = (linkId: string) => is(linkId, 'Y');

const ynu = [
  o('Y', 'Yes', 'Sí', 'Wi'),
  o('N', 'No', 'No', 'Non'),
  o('UNK', 'Not known', 'No se sabe', 'Pa konnen'),
];

/**
 * The investigation of a syphilis case. Codes are from message mapping guide STD 1.1; titers are exponents
 * of two, so a fourfold change is 2.
 */
export const syphilis: Form = {
  id: 'syphilis',
  version: 2,
  title: w('Syphilis investigation', 'Investigación de sífilis', 'Ankèt sou sifilis'),
  answerSets: {
    ynu,
    ynrd: [
      ...ynu,
      o('R', 'Refused to answer', 'No quiso responder', 'Refize reponn'),
      o('D', 'Not asked', 'No se preguntó', 'Yo pa t mande'),
    ],
    manifestation: [
      o('verified', 'Verified', 'Verificada', 'Verifye'),
      o('likely', 'Likely', 'Muy probable', 'Gen anpil chans'),
      o('possible', 'Possible', 'Posible', 'Posib'),
      o('none', 'None', 'Ninguna', 'Okenn'),
      o('UNK', 'Not known', 'No se sabe', 'Pa konnen'),
    ],
    sign: [
      o('chancre', 'Ulcer or chancre', 'Úlcera o chancro', 'Maleng oswa chank'),
      o('rash', 'Rash', 'Erupción en la piel', 'Bouton oswa po wouj'),
      o(
        'mucous',
        'Mucous patches',
        'Placas en la boca o los genitales',
        'Plak nan bouch oswa nan pati entim',
      ),
      o('condyloma', 'Condylomata lata', 'Condilomas planos', 'Kondilòm plat'),
      o('alopecia', 'Patchy hair loss', 'Caída del pelo por zonas', 'Cheve tonbe pa plas'),
      o('nodes', 'Swollen lymph nodes', 'Ganglios inflamados', 'Glann anfle'),
      o('none', 'No signs', 'Ningún signo', 'Okenn siy'),
    ],
    site: [
      o('penis', 'Penis', 'Pene', 'Penis'),
      o('vagina', 'Vagina or vulva', 'Vagina o vulva', 'Vajen oswa vilv'),
      o('cervix', 'Cervix', 'Cuello del útero', 'Kòl matris'),
      o('anus', 'Anus or rectum', 'Ano o recto', 'Anis oswa rektòm'),
      o('mouth', 'Mouth or throat', 'Boca o garganta', 'Bouch oswa gòj'),
      o('skin', 'Elsewhere on the skin', 'Otra parte de la piel', 'Lòt kote sou po a'),
    ],
    titer: [...Array(13).keys()].map((exponent) => {
      const said = `1:${2 ** exponent}`;
      return o(String(exponent), said, said, said);
    }),
    reactivity: [
      o('reactive', 'Reactive', 'Reactiva', 'Reyaktif'),
      o('nonreactive', 'Nonreactive', 'No reactiva', 'Pa reyaktif', 'Non-reactive'),
      o('not-done', 'Not done', 'No se hizo', 'Pa fèt'),
    ],
    hiv: [
      o('1', 'Negative', 'Negativo', 'Negatif'),
      o('2', 'Newly diagnosed', 'Diagnóstico nuevo', 'Fèk dyagnostike'),
      o('4', 'Known to be positive', 'Positivo ya conocido', 'Yo te konnen l pozitif'),
      o('9', 'Not known', 'No se sabe', 'Pa konnen'),
    ],
    evidence: [
      o(
        'seroconversion',
        'A negative test in the last 12 months',
        'Una prueba negativa en los últimos 12 meses',
        'Yon tès negatif nan 12 dènye mwa yo',
      ),
      o(
        'fourfold',
        'The titer rose fourfold',
        'El título subió cuatro veces',
        'Tit la monte kat fwa',
        'The titre rose fourfold',
      ),
      o(
        'symptoms',
        'Symptoms that the person remembers',
        'Síntomas que la persona recuerda',
        'Sentòm moun nan sonje',
      ),
      o(
        'partner',
        'A partner with early syphilis',
        'Una pareja con sífilis temprana',
        'Yon patnè ki gen sifilis bonè',
      ),
      o(
        'debut',
        'First sex in the last 12 months',
        'Primera relación sexual en los últimos 12 meses',
        'Premye rapò seksyèl nan 12 dènye mwa yo',
      ),
    ],
    drug: [
      o(
        'bpg1',
        'Benzathine penicillin G, 2.4 million units, once',
        'Penicilina G benzatínica, 2.4 millones de unidades, una vez',
        'Penisilin G benzatin, 2.4 milyon inite, yon fwa',
        'Benzathine benzylpenicillin, 2.4 million units, once',
      ),
      o(
        'bpg3',
        'Benzathine penicillin G, 2.4 million units, three weekly doses',
        'Penicilina G benzatínica, 2.4 millones de unidades, tres dosis semanales',
        'Penisilin G benzatin, 2.4 milyon inite, twa dòz, youn chak semèn',
        'Benzathine benzylpenicillin, 2.4 million units, three weekly doses',
      ),
      o('doxy14', 'Doxycycline, 14 days', 'Doxiciclina, 14 días', 'Doksisiklin, 14 jou'),
      o('doxy28', 'Doxycycline, 28 days', 'Doxiciclina, 28 días', 'Doksisiklin, 28 jou'),
      o(
        'aqueous',
        'Aqueous penicillin G by vein',
        'Penicilina G acuosa por vena',
        'Penisilin G nan venn',
        'Benzylpenicillin by vein',
      ),
      o('other', 'Another medicine', 'Otro medicamento', 'Yon lòt medikaman'),
    ],
    outcome: [
      o('pregnant', 'Still pregnant', 'Sigue embarazada', 'Ansent toujou'),
      o('live', 'Live birth', 'Nació con vida', 'Ti bebe a fèt vivan'),
      o('stillbirth', 'Stillbirth', 'Nació sin vida', 'Ti bebe a fèt tou mouri'),
      o('loss', 'Miscarriage or abortion', 'Aborto', 'Foskouch oswa avòtman'),
      o('UNK', 'Not known', 'No se sabe', 'Pa konnen'),
    ],
  },
  items: [
    group('clinical', w('Examination', 'Examen', 'Egzamen'), [
      q(
        'examined',
        'choice',
        w('Was the person examined?', '¿Se examinó a la persona?', 'Èske yo te egzamine moun nan?'),
        { answers: 'ynu', required: true },
      ),
      q('exam-date', 'date', w('Day of the examination', 'Día del examen', 'Jou egzamen an'), {
        when: yes('examined'),
        required: true,
        nndss: 'STD099',
      }),
      q('signs', 'choices', w('Signs that were seen', 'Signos que se vieron', 'Siy yo te wè'), {
        answers: 'sign',
        when: yes('examined'),
        required: true,
        reportable: true,
        nndss: 'STD121',
      }),
      q(
        'lesion-sites',
        'choices',
        w('Where the signs were', 'Dónde estaban los signos', 'Ki kote siy yo te ye'),
        { answers: 'site', when: has('signs', 'chancre', 'mucous', 'condyloma') },
      ),
      q('onset', 'date', w('First signs', 'Primeros signos', 'Premye siy yo'), {
        field: 'onsetOn',
        nndss: '11368-8',
      }),
      q(
        'neurologic',
        'choice',
        w('Signs in the nervous system', 'Signos en el sistema nervioso', 'Siy nan sistèm nè yo'),
        { answers: 'manifestation', required: true, reportable: true, nndss: 'STD102' },
      ),
      q('ocular', 'choice', w('Signs in the eyes', 'Signos en los ojos', 'Siy nan je'), {
        answers: 'manifestation',
        required: true,
        reportable: true,
        nndss: '410478005',
      }),
      q('otic', 'choice', w('Signs in the ears', 'Signos en los oídos', 'Siy nan zòrèy'), {
        answers: 'manifestation',
        required: true,
        reportable: true,
        nndss: 'PHC1472',
      }),
      q('late', 'choice', w('Late signs', 'Signos tardíos', 'Siy ki vini an reta'), {
        answers: 'manifestation',
        when: oneOf('record.condition', 'syphilis-late', 'syphilis-unknown-stage'),
        nndss: '72083004',
      }),
    ]),
    group('laboratory', w('Tests', 'Pruebas', 'Tès yo'), [
      q(
        'nontreponemal',
        'choice',
        w(
          'Nontreponemal test (RPR, VDRL)',
          'Prueba no treponémica (RPR, VDRL)',
          'Tès ki pa treponemik (RPR, VDRL)',
          'Non-treponemal test (RPR, VDRL)',
        ),
        { answers: 'reactivity', required: true },
      ),
      q('titer', 'choice', w('Titer', 'Título', 'Tit', 'Titre'), {
        answers: 'titer',
        when: is('nontreponemal', 'reactive'),
        required: true,
        reportable: true,
        nndss: 'STD123',
      }),
      q('treponemal', 'choice', w('Treponemal test', 'Prueba treponémica', 'Tès treponemik'), {
        answers: 'reactivity',
        required: true,
      }),
      q(
        'direct',
        'choice',
        w('Found by darkfield or PCR', 'Hallada con campo oscuro o PCR', 'Yo jwenn li ak chan nwa oswa PCR'),
        { answers: 'ynu' },
      ),
      q(
        'earlier-titer',
        'choice',
        w(
          'Highest titer in the 12 months before',
          'Título más alto de los 12 meses anteriores',
          'Tit ki pi wo nan 12 mwa anvan yo',
          'Highest titre in the 12 months before',
        ),
        { answers: 'titer' },
      ),
      q('hiv-status', 'choice', w('HIV status', 'Estado del VIH', 'Sitiyasyon VIH'), {
        answers: 'hiv',
        family: 'hiv',
        nndss: '55277-8',
      }),
    ]),
    group('course', w('Course', 'Evolución', 'Evolisyon'), [
      q(
        'evidence',
        'choices',
        w(
          'Evidence of infection in the last 12 months',
          'Indicios de infección en los últimos 12 meses',
          'Prèv enfeksyon nan 12 dènye mwa yo',
        ),
        { answers: 'evidence', when: is('record.condition', 'syphilis-early-latent'), required: true },
      ),
      q('previous', 'choice', w('Syphilis before', 'Sífilis anteriormente', 'Te gen sifilis deja'), {
        answers: 'ynu',
        required: true,
        nndss: 'STD117',
      }),
      q('previous-on', 'date', w('Last treated on', 'Último tratamiento', 'Dènye tretman'), {
        when: yes('previous'),
      }),
    ]),
    group('risk', w('Last 12 months', 'Últimos 12 meses', 'Dènye 12 mwa yo'), [
      q('sex-male', 'choice', w('Sex with men', 'Sexo con hombres', 'Sèks ak gason'), {
        answers: 'ynrd',
        required: true,
        reportable: true,
        nndss: 'STD107',
      }),
      q('sex-female', 'choice', w('Sex with women', 'Sexo con mujeres', 'Sèks ak fanm'), {
        answers: 'ynrd',
        required: true,
        reportable: true,
        nndss: 'STD108',
      }),
      q(
        'sex-transgender',
        'choice',
        w('Sex with transgender people', 'Sexo con personas transgénero', 'Sèks ak moun transjan'),
        { answers: 'ynrd' },
      ),
      q(
        'sex-anonymous',
        'choice',
        w(
          'Sex with people whose name is not known',
          'Sexo con personas cuyo nombre no se sabe',
          'Sèks ak moun li pa konn non yo',
        ),
        { answers: 'ynrd', nndss: 'STD109' },
      ),
      q('without-condom', 'choice', w('Sex without a condom', 'Sexo sin condón', 'Sèks san kapòt'), {
        answers: 'ynrd',
      }),
      q(
        'exchange',
        'choice',
        w(
          'Sex for money, drugs or a place to stay',
          'Sexo a cambio de dinero, drogas o alojamiento',
          'Sèks pou lajan, dwòg oswa kote pou rete',
        ),
        { answers: 'ynrd', nndss: 'STD112' },
      ),
      q('injected', 'choice', w('Injected drugs', 'Se inyectó drogas', 'Li pike dwòg'), {
        answers: 'ynrd',
        reportable: true,
        nndss: 'STD114',
      }),
      q('meth', 'choice', w('Used methamphetamine', 'Usó metanfetamina', 'Li pran metanfetamin'), {
        answers: 'ynrd',
        reportable: true,
      }),
      q('jail', 'choice', w('In jail or prison', 'En la cárcel', 'Nan prizon'), {
        answers: 'ynrd',
        nndss: 'STD118',
      }),
      q('prep', 'choice', w('Takes PrEP against HIV', 'Toma PrEP contra el VIH', 'Li pran PrEP kont VIH'), {
        answers: 'ynu',
        when: is('hiv-status', '1'),
        family: 'hiv',
      }),
    ]),
    group(
      'pregnancy',
      w('Pregnancy', 'Embarazo', 'Gwosès'),
      [
        q('pregnant', 'choice', w('Pregnant', 'Embarazada', 'Ansent'), {
          field: 'pregnant',
          nndss: '77996-7',
        }),
        q('weeks', 'integer', w('Weeks pregnant', 'Semanas de embarazo', 'Kantite semèn gwosès'), {
          low: 1,
          high: 44,
          when: is('pregnant', 'yes'),
          required: true,
        }),
        q(
          'due-date',
          'date',
          w('Expected day of birth', 'Fecha probable de parto', 'Jou yo espere akouchman an'),
          { when: is('pregnant', 'yes') },
        ),
        q(
          'prenatal',
          'choice',
          w('In prenatal care', 'En control prenatal', 'Nan swen prenatal', 'In antenatal care'),
          { answers: 'ynu', when: is('pregnant', 'yes'), required: true, reportable: true },
        ),
        q(
          'pregnant-year',
          'choice',
          w(
            'Pregnant in the last 12 months',
            'Embarazada en los últimos 12 meses',
            'Ansent nan dènye 12 mwa yo',
          ),
          { answers: 'ynu', when: oneOf('pregnant', 'no', 'unknown') },
        ),
        q(
          'pregnancy-outcome',
          'choice',
          w('Outcome of the pregnancy', 'Resultado del embarazo', 'Rezilta gwosès la'),
          { answers: 'outcome', when: any(is('pregnant', 'yes'), yes('pregnant-year')) },
        ),
        q(
          'newborn-case',
          'reference',
          w('Case report of the newborn', 'Informe de caso del recién nacido', 'Rapò sou ka tibebe a'),
          { to: 'case', when: given('pregnancy-outcome') },
        ),
      ],
      { when: is('record.sex', 'F') },
    ),
    group('treatment', w('Treatment', 'Tratamiento', 'Tretman'), [
      q(
        'treated',
        'choice',
        w('Was the person treated?', '¿Recibió tratamiento?', 'Èske moun nan resevwa tretman?'),
        { answers: 'ynu', required: true, reportable: true },
      ),
      group(
        'treatments',
        w('Treatments', 'Tratamientos', 'Tretman yo'),
        [
          q('drug', 'choice', w('Medicine', 'Medicamento', 'Medikaman'), { answers: 'drug', required: true }),
          q('drug-other', 'text', w('Which medicine', 'Qué medicamento', 'Ki medikaman'), {
            when: is('drug', 'other'),
            required: true,
          }),
          q('given-on', 'date', w('First dose', 'Primera dosis', 'Premye dòz'), { required: true }),
          q('given-at', 'text', w('Given by', 'Administrado por', 'Kiyès ki bay li')),
        ],
        { when: yes('treated'), repeats: 10 },
      ),
      q('not-treated', 'text', w('Why not', 'Por qué no', 'Poukisa non'), {
        when: is('treated', 'N'),
        required: true,
      }),
      q(
        'adequate',
        'boolean',
        w('Adequate for the stage', 'Adecuado para la etapa', 'Bon pou etap maladi a'),
        { when: yes('treated') },
      ),
      q(
        'treatment-notes',
        'long',
        w('Notes on the treatment', 'Notas sobre el tratamiento', 'Nòt sou tretman an'),
      ),
    ]),
    group('partners', w('Partners', 'Parejas', 'Patnè yo'), [
      q(
        'period-primary',
        'display',
        w(
          'Count partners from 3 months before the first signs until treatment.',
          'Cuente las parejas desde 3 meses antes de los primeros signos hasta el tratamiento.',
          'Konte patnè yo depi 3 mwa anvan premye siy yo jiska tretman an.',
        ),
        { when: is('record.condition', 'syphilis-primary') },
      ),
      q(
        'period-secondary',
        'display',
        w(
          'Count partners from 6 months before the first signs until treatment.',
          'Cuente las parejas desde 6 meses antes de los primeros signos hasta el tratamiento.',
          'Konte patnè yo depi 6 mwa anvan premye siy yo jiska tretman an.',
        ),
        { when: is('record.condition', 'syphilis-secondary') },
      ),
      q(
        'period-latent',
        'display',
        w(
          'Count partners of the 12 months before treatment.',
          'Cuente las parejas de los 12 meses anteriores al tratamiento.',
          'Konte patnè 12 mwa anvan tretman an.',
        ),
        { when: is('record.condition', 'syphilis-early-latent') },
      ),
      q(
        'partners-year',
        'integer',
        w(
          'Partners in the last 12 months',
          'Parejas en los últimos 12 meses',
          'Kantite patnè nan dènye 12 mwa yo',
        ),
        { high: 999, nndss: 'STD120' },
      ),
      q(
        'partners-period',
        'integer',
        w(
          'Partners in the time that counts',
          'Parejas en el período que cuenta',
          'Kantite patnè nan peryòd ki konte a',
        ),
        { high: 999 },
      ),
      q(
        'partners-named',
        'integer',
        w('Partners that were named', 'Parejas que se nombraron', 'Patnè li bay non yo'),
        { high: 999, when: { field: 'partners-period', atLeast: 1 } },
      ),
      q(
        'met-online',
        'choice',
        w(
          'Met partners online or by an app',
          'Conoció parejas en línea o por una aplicación',
          'Li rankontre patnè sou entènèt oswa ak yon aplikasyon',
        ),
        { answers: 'ynrd', nndss: 'STD119' },
      ),
      q(
        'internet-follow-up',
        'choice',
        w('Followed up online', 'Seguimiento en línea', 'Swivi sou entènèt'),
        { answers: 'ynu', when: yes('met-online'), required: true },
      ),
    ]),
  ],
};
