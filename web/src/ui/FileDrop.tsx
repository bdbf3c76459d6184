import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A drop zone for files, which can also be chosen. */
export function FileDrop({
  label,
  help,
  accept,
  multiple = true,
  disabled = false,
  onFiles,
}: {
  /** What to drop here: "Laboratory messages or a line list". */
  label: string;
  /** Formats and limits. */
  help?: ReactNode;
  /** As for an input: `.hl7,.csv`. */
  accept?: string;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [over, setOver] = useState(0);
  const take = (files: File[]) => {
    if (files.length > 0 && !disabled) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <Box
      role="group"
      aria-labelledby={`${id}-label`}
      onDragEnter={(event: DragEvent) => {
        event.preventDefault();
        setOver((depth) => depth + 1);
      }}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDragLeave={() => setOver((depth) => Math.max(0, depth - 1))}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(0);
        take([...event.dataTransfer.files]);
      }}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        textAlign: 'center',
        gap: 2,
        padding: 8,
        borderRadius: '10px',
        border: '1.5px dashed',
        borderColor: over > 0 ? 'primary.main' : 'control',
        backgroundColor: over > 0 ? 'tint' : 'surface',
        opacity: disabled ? 0.6 : 1,
      }}
    >
      <Box aria-hidden sx={{ color: 'primary.main', display: 'flex' }}>
        <FileUp size={28} strokeWidth={1.5} />
      </Box>
      <Typography id={`${id}-label`} variant="h3" component="p">
        {label}
      </Typography>
      {help ? (
        <Typography id={`${id}-help`} variant="body2" sx={{ color: 'text.secondary', maxWidth: '60ch' }}>
          {help}
        </Typography>
      ) : null}
      <Box sx={{ marginTop: 1 }}>
        <FileButton
          label={t(multiple ? 'file.chooseMany' : 'file.choose')}
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          describedBy={help ? `${id}-help` : undefined}
          onFiles={take}
        />
      </Box>
    </Box>
  );
}

/** A button that lets files be chosen. */
export function FileButton({
  label,
  accept,
  multiple = false,
  disabled = false,
  size = 'medium',
  describedBy,
  onFiles,
}: {
  label: string;
  accept?: string | undefined;
  multiple?: boolean;
  disabled?: boolean;
  size?: 'small' | 'medium';
  describedBy?: string | undefined;
  onFiles: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="outlined"
        size={size}
        disabled={disabled}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        data-testid="file-input"
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Lets the same file be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
