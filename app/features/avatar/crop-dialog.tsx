/** A dialog to crop an image to a square: by dragging, keys or a slider. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { pictureTexts } from '../../texts/account-picture.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Crop, fullCrop, MAX_ZOOM, moveCrop, type Size, STORED_SIDE, sideOf, zoomCrop } from './crop.ts';

export interface CropDialogProps {
  file: File;
  isPending: boolean;
  onSave(picture: Blob): void;
  onClose(): void;
  onCloseAutoFocus(event: Event): void;
}

/** Fraction of the square's side. */
const KEY_STEP = 0.05;
const ZOOM_STEP = 0.1;
const QUALITY = 0.9;

/** Asks for the crop, and encodes it as WebP. */
export default function CropDialog({ file, isPending, onSave, onClose, onCloseAutoFocus }: CropDialogProps) {
  const texts = useTexts(pictureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { bitmap, isUnreadable } = useBitmap(file);
  const save = () => canvas.current?.toBlob((picture) => picture && onSave(picture), 'image/webp', QUALITY);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={onCloseAutoFocus}
      title={texts.cropTitle}
      description={texts.cropText}
      footer={
        <>
          <Button type="button" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="button" variant="primary" disabled={!bitmap} isPending={isPending} onClick={save}>
            {texts.save}
          </Button>
        </>
      }
    >
      {isUnreadable && <p role="alert">{texts.unreadable}</p>}
      {bitmap && <Cropper bitmap={bitmap} canvas={canvas} />}
    </Dialog>
  );
}

function useBitmap(file: File): { bitmap: ImageBitmap | undefined; isUnreadable: boolean } {
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const [isUnreadable, setIsUnreadable] = useState(false);
  useEffect(() => {
    let isCancelled = false;
    let created: ImageBitmap | undefined;
    createImageBitmap(file).then(
      (decoded) => {
        created = decoded;
        if (isCancelled) decoded.close();
        else setBitmap(decoded);
      },
      () => isCancelled || setIsUnreadable(true),
    );
    return () => {
      isCancelled = true;
      created?.close();
    };
  }, [file]);
  return { bitmap, isUnreadable };
}

/** The effect of each key on the crop. */
const KEYS: Readonly<Record<string, (size: Size, crop: Crop) => Crop>> = {
  ArrowLeft: (size, crop) => moveCrop(size, crop, -KEY_STEP, 0),
  ArrowRight: (size, crop) => moveCrop(size, crop, KEY_STEP, 0),
  ArrowUp: (size, crop) => moveCrop(size, crop, 0, -KEY_STEP),
  ArrowDown: (size, crop) => moveCrop(size, crop, 0, KEY_STEP),
  '+': (size, crop) => zoomCrop(size, crop, crop.zoom + ZOOM_STEP),
  '-': (size, crop) => zoomCrop(size, crop, crop.zoom - ZOOM_STEP),
};

function Cropper({ bitmap, canvas }: { bitmap: ImageBitmap; canvas: RefObject<HTMLCanvasElement | null> }) {
  const texts = useTexts(pictureTexts);
  const hintId = useId();
  const [crop, setCrop] = useState(() => fullCrop(bitmap));
  useEffect(() => draw(canvas.current, bitmap, crop), [canvas, bitmap, crop]);
  const onKeyDown = (event: KeyboardEvent) => {
    const change = KEYS[event.key];
    if (!change) return;
    event.preventDefault();
    setCrop((before) => change(bitmap, before));
  };
  const onPointerMove = ({ currentTarget, pointerId, movementX, movementY }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const side = currentTarget.clientWidth;
    // The image follows the pointer, so the crop moves in the opposite direction.
    setCrop((before) => moveCrop(bitmap, before, -movementX / side, -movementY / side));
  };
  return (
    <div className="grid justify-items-center gap-4">
      {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields */}
      <div
        role="group"
        aria-label={texts.cropArea}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys work here
        tabIndex={0}
        className="size-64 cursor-grab touch-none overflow-hidden rounded-full bg-sunken active:cursor-grabbing"
        onKeyDown={onKeyDown}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={onPointerMove}
        onWheel={({ deltaY }) =>
          setCrop((before) => zoomCrop(bitmap, before, before.zoom - Math.sign(deltaY) * ZOOM_STEP))
        }
      >
        <canvas ref={canvas} width={STORED_SIDE} height={STORED_SIDE} className="size-full" />
      </div>
      <p id={hintId} className="text-center text-small text-ink-muted">
        {texts.cropHint}
      </p>
      <label className="grid w-64 gap-1 text-small font-medium">
        {texts.zoom}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={crop.zoom}
          onChange={({ currentTarget }) => setCrop(zoomCrop(bitmap, crop, Number(currentTarget.value)))}
          className="w-full accent-solid"
        />
      </label>
    </div>
  );
}

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap, crop: Crop): void {
  const context = canvas?.getContext('2d');
  if (!context) return;
  const side = sideOf(bitmap, crop);
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, STORED_SIDE, STORED_SIDE);
  context.drawImage(bitmap, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, STORED_SIDE, STORED_SIDE);
}
