import { documentFiles, documentLimit, uploadDocument } from '@caseway/contract/documents';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FileCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { upload } from '../../data/api.ts';
import { AppError } from '../../data/transport.ts';
import type { FieldShown } from '../../record/RecordFields.tsx';
import { FileButton, FileDrop } from '../../ui/FileDrop.tsx';
import { useFormField } from '../../ui/Form.tsx';
import { framed } from '../../ui/framed.ts';
import { Progress } from '../../ui/Progress.tsx';
import { useFormats } from '../../words/formats.ts';

/** The name of a file without its ending, as long as a title may be. */
const titleOf = (name: string) => name.replace(/\.[^.]{1,5}$/, '').slice(0, 200);

type State =
  | { is: 'sending'; name: string; share: number }
  | { is: 'sent'; name: string; size: number }
  | { is: 'refused'; why: string };

/** Chooses the file of a new document and uploads it at once; the form gets its id, and a title if it has none. */
export function FileField({ name, label, patientId }: FieldShown & { patientId: string }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  const form = useFormContext();
  const { id, ref, field, fault } = useFormField(name);
  const [state, setState] = useState<State | null>(null);
  const sending = useRef<AbortController | null>(null);
  /** The title that came from a file. */
  const given = useRef('');
  useEffect(() => () => sending.current?.abort(), []);
  const { onChange } = field;

  const most = { size: formats.size(documentLimit) };
  const refusalOf = (error: unknown): string => {
    if (!(error instanceof AppError)) return t('common:error.internal');
    const [first] = error.faults;
    if (first) return t(`fault.${first.code}`, { defaultValue: t('common:error.validation-failed') });
    return error.code === 'too-large' ? t('fault.too-large', most) : t(`common:error.${error.code}`);
  };
  async function send(file: File) {
    sending.current?.abort();
    onChange('');
    form.clearErrors(name);
    if (file.size > documentLimit) return setState({ is: 'refused', why: t('fault.too-large', most) });
    const stop = new AbortController();
    sending.current = stop;
    setState({ is: 'sending', name: file.name, share: 0 });
    try {
      const { id: stored, earlier } = await upload(
        uploadDocument,
        { params: { id: patientId } },
        // The bytes unchanged: the server looks at them, and not at what the browser makes of the name.
        new Blob([file]),
        (share) => setState({ is: 'sending', name: file.name, share }),
        stop.signal,
      );
      if (stop.signal.aborted) return;
      if (earlier) {
        const day = formats.day(earlier.documentedOn ?? earlier.createdOn);
        return setState({ is: 'refused', why: t('file.earlier', { title: earlier.title, day }) });
      }
      setState({ is: 'sent', name: file.name, size: file.size });
      onChange(stored);
      // A title that was typed stays.
      if (['', given.current].includes(form.getValues('title')))
        form.setValue('title', titleOf(file.name), { shouldDirty: true, shouldValidate: true });
      given.current = titleOf(file.name);
    } catch (error) {
      if (!stop.signal.aborted) setState({ is: 'refused', why: refusalOf(error) });
    }
  }

  const wrong = state?.is === 'refused' ? state.why : fault;
  const begin = ([file]: File[]) => void (file && send(file));
  return (
    <Box id={id} ref={ref} tabIndex={-1} sx={{ display: 'grid', gap: 2, marginTop: 2 }}>
      {state?.is === 'sending' ? (
        <Box sx={{ padding: 3, display: 'grid', gap: 2, ...framed }}>
          <Progress label={t('file.sending')} value={state.share} detail={state.name} />
          <Box>
            <Button
              size="small"
              variant="outlined"
              onClick={() => {
                sending.current?.abort();
                setState(null);
              }}
            >
              {t('common:action.cancel')}
            </Button>
          </Box>
        </Box>
      ) : field.value ? (
        <Box sx={{ padding: 3, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, ...framed }}>
          <Box aria-hidden sx={{ color: 'success.main', display: 'flex' }}>
            <FileCheck size={20} />
          </Box>
          <Typography role="status" sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
            {state?.is === 'sent'
              ? t('file.sent', { name: state.name, size: formats.size(state.size) })
              : t('file.kept')}
          </Typography>
          <FileButton label={t('file.another')} accept={documentFiles} size="small" onFiles={begin} />
        </Box>
      ) : (
        <FileDrop
          label={label}
          help={t('file.help', most)}
          accept={documentFiles}
          multiple={false}
          onFiles={begin}
        />
      )}
      {wrong ? (
        <Typography role="alert" variant="body2" sx={{ color: 'error.main', overflowWrap: 'anywhere' }}>
          {wrong}
        </Typography>
      ) : null}
    </Box>
  );
}
