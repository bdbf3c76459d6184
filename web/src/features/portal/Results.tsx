import { phoneShown } from '@caseway/contract/codes';
import { labelIn, testNameIn } from '@caseway/contract/label';
import { listOwnResults, type OwnResult, ownResultFile, readOwnRecord } from '@caseway/contract/portal';
import { resultValue } from '@caseway/contract/result-value';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ArrowLeft, ChevronRight, Download, FlaskConical, Phone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { download, useApi } from '../../data/api.ts';
import { AppError, isRefused } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { EarlierResults } from './EarlierResults.tsx';
import { Screen } from './Screen.tsx';
import { useShownChild } from './shown-child.ts';

const useTitle = () => {
  const { i18n } = useTranslation();
  return (result: OwnResult) =>
    result.about ? labelIn(result.about, i18n.language) : testNameIn(result, i18n.language);
};

/** Whether a test's name is in the page's language, not in English as the laboratory wrote it. */
const isTranslated = (result: OwnResult, language: string) =>
  language.startsWith('en') || testNameIn(result, language) !== result.testName;

/** All of the patient's visible results, latest first. */
export function ResultList() {
  const { t, i18n } = useTranslation('portal');
  const formats = useFormats();
  const titleOf = useTitle();
  const query = useApi(listOwnResults);
  const own = useApi(readOwnRecord);
  const child = useShownChild();
  // A result opens from loaded data: even offline, once these texts have loaded.
  const { data } = query;
  useEffect(() => {
    if (data) void i18n.loadNamespaces('explanations');
  }, [data, i18n]);
  return (
    <Screen
      name={t('nav.results')}
      title={child ? t('list.titleOf', { name: child.firstName ?? t('child.unnamed') }) : t('list.title')}
      lead={own.data ? t('list.lead', { tenant: own.data.tenant }) : undefined}
      said={data && t('list.count', { count: data.results.length })}
    >
      <Answered query={query} height={280}>
        {({ results }) =>
          results.length === 0 ? (
            <Message icon={FlaskConical} title={t('list.emptyTitle')}>
              {t('list.empty')}
            </Message>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
              {results.map((result) => (
                <Box component="li" key={result.id} sx={{ breakInside: 'avoid' }}>
                  <Box
                    component={Link}
                    to={`/portal/results/${result.id}`}
                    sx={{
                      display: 'flex',
                      alignItems: 'center',
                      gap: 3,
                      padding: '14px 16px',
                      ...framed,
                      color: 'text.primary',
                      textDecoration: 'none',
                      '&:hover': { borderColor: 'primary.main' },
                    }}
                  >
                    <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 1 }}>
                      <Typography component="h2" sx={{ fontWeight: 650, fontSize: '1.0625rem' }}>
                        {titleOf(result)}
                      </Typography>
                      <Answer result={result} />
                      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                        {[result.collectedOn && formats.dayInWords(result.collectedOn), result.facility]
                          .filter(Boolean)
                          .join(' · ')}
                      </Typography>
                      {result.about ? (
                        <Typography
                          variant="body2"
                          lang={isTranslated(result, i18n.language) ? undefined : 'en'}
                          sx={{ color: 'text.secondary' }}
                        >
                          {testNameIn(result, i18n.language)}
                        </Typography>
                      ) : null}
                    </Box>
                    <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.secondary' }}>
                      <ChevronRight size={20} />
                    </Box>
                  </Box>
                </Box>
              ))}
            </Box>
          )
        }
      </Answered>
    </Screen>
  );
}

/** The answer in a word, and its number. No alarming color: its meaning is in words next to it. */
function Answer({ result: { mark, answer, value, position } }: { result: OwnResult }) {
  const { t, i18n } = useTranslation('portal');
  const words = [
    answer && labelIn(answer, i18n.language),
    value && resultValue(value, i18n.language).text,
    position && t(`result.position.${position}`),
  ];
  return (
    <Typography component="p" sx={{ display: 'flex', alignItems: 'center', gap: 2, fontWeight: 550 }}>
      {/* Drawn only with its border, because backgrounds are neither printed nor kept in forced colors. */}
      <Box
        component="span"
        aria-hidden
        sx={{
          flex: 'none',
          width: 10,
          height: 10,
          borderRadius: mark === 'other' ? 0 : '50%',
          borderStyle: 'solid',
          borderWidth: mark === 'found' ? 5 : 2,
          borderColor: 'primary.main',
        }}
      />
      <span>{words.filter(Boolean).join(' · ')}</span>
    </Typography>
  );
}

/** One result: the answer, what it means, what to do next, and the PDF to keep. */
export function ResultView() {
  const { t } = useTranslation('portal');
  const { id } = useParams();
  const titleOf = useTitle();
  const query = useApi(listOwnResults);
  const data = isRefused(query.error) ? undefined : query.data;
  const result = data?.results.find((one) => one.id === id);
  const title = result ? titleOf(result) : t(data ? 'result.missing' : 'file.title');
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <Button
        className="no-print"
        variant="text"
        component={Link}
        to="/portal"
        startIcon={<ArrowLeft size={16} aria-hidden />}
        sx={{ justifySelf: 'start', marginX: -2.5 }}
      >
        {t('result.back')}
      </Button>
      <Screen name={t('file.title')} title={title} said={data && title}>
        <Answered query={query} height={360}>
          {({ results }) =>
            result ? <Shown result={result} all={results} /> : <Typography>{t('list.empty')}</Typography>
          }
        </Answered>
      </Screen>
    </Box>
  );
}

/** The number to call, if known: nearly every explanation refers to it. */
function Call({ result: { facility, facilityPhone } }: { result: OwnResult }) {
  const { t } = useTranslation('portal');
  // A number that is not international may not be dialable; it is listed with the facts.
  const number = /^\+\d+(?= |$)/.exec(facilityPhone ?? '')?.[0];
  if (!facility || !facilityPhone || !number) return null;
  return (
    <Button
      className="no-print"
      variant="outlined"
      size="large"
      href={`tel:${number}`}
      startIcon={<Phone size={18} aria-hidden />}
      sx={{ justifySelf: { xs: 'stretch', sm: 'start' } }}
    >
      {t('result.call', { facility, phone: phoneShown(facilityPhone) })}
    </Button>
  );
}

function Shown({ result, all }: { result: OwnResult; all: readonly OwnResult[] }) {
  const { t, i18n } = useTranslation(['portal', 'explanations', 'common']);
  const formats = useFormats();
  const [saving, setSaving] = useState(false);
  const day = (value: string | null) => value && formats.dayInWords(value);
  const save = async () => {
    setSaving(true);
    try {
      const name = await download(ownResultFile, { params: { id: result.id } }, 'caseway-result.pdf');
      notify('success', 'portal:result.saved', { values: { name } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify('error', `error.${error.code}`);
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <Box sx={{ fontSize: '1.125rem' }}>
        <Answer result={result} />
      </Box>
      {result.preliminary ? <Alert severity="info">{t('result.preliminary')}</Alert> : null}
      {result.corrected ? <Alert severity="info">{t('result.corrected')}</Alert> : null}
      {(['meaning', 'next'] as const).map((part) => (
        <Section key={part} title={t(`result.${part}`)}>
          <Typography sx={{ fontSize: '1rem', lineHeight: 1.5625 }}>
            {t(`explanations:explained.${result.explanation}.${part}`)}
          </Typography>
          {part === 'next' ? <Call result={result} /> : null}
        </Section>
      ))}
      <Facts
        large
        facts={[
          [t('result.value'), result.value && resultValue(result.value, i18n.language, { sign: true }).text],
          [t('result.usual'), result.value?.referenceRange ?? null],
          [t('result.range'), result.position && t(`result.position.${result.position}`)],
          [
            t('result.test'),
            <span key="test" lang={isTranslated(result, i18n.language) ? undefined : 'en'}>
              {testNameIn(result, i18n.language)}
            </span>,
          ],
          [t('result.collectedOn'), day(result.collectedOn)],
          [t('result.resultedOn'), day(result.resultedOn)],
          [t('result.specimen'), result.specimen && labelIn(result.specimen, i18n.language)],
          [t('result.specimenNumber'), result.specimenNumber],
          [t('result.facility'), result.facility],
          [t('result.phone'), result.facilityPhone && phoneShown(result.facilityPhone)],
          [t('result.laboratory'), result.laboratory],
        ]}
      />
      <EarlierResults result={result} all={all} />
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('result.noDiagnosis')}
      </Typography>
      <Button
        className="no-print"
        variant="contained"
        size="large"
        loading={saving}
        loadingPosition="start"
        startIcon={<Download size={18} aria-hidden />}
        onClick={() => void save()}
        sx={{ justifySelf: { xs: 'stretch', sm: 'start' } }}
      >
        {t('result.download')}
      </Button>
    </>
  );
}
