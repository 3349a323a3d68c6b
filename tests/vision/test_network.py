"""The shipped models are what their cards say."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.config import asset
from companion.table.detection import CLASSES
from companion.vision.button import PRINTS
from companion.vision.classify import Classifier
from companion.vision.network import MOST_AT_ONCE, ModelCard, ModelError, Network


@pytest.mark.parametrize(
    "name", ["card-locator", "card-index", "card-refiner", "card-glyph", "card-classifier", "card-button"]
)
def test_each_model_file_is_the_one_its_card_describes(name: str):
    """Checksum and classes match; together the models stay below 8 MB."""
    folder = asset("models")
    card = ModelCard.read(folder / f"{name}.toml")
    data = (folder / f"{name}.onnx").read_bytes()
    assert hashlib.sha256(data).hexdigest() == card.sha256
    assert card.classes in ((), CLASSES, PRINTS)
    assert sum(path.stat().st_size for path in folder.glob("*.onnx")) < 8_000_000


def test_a_changed_model_file_is_refused_by_name(tmp_path: Path):
    """A damaged download is named and never used."""
    for path in asset("models").glob("card-locator.*"):
        shutil.copy(path, tmp_path)
    model = tmp_path / "card-locator.onnx"
    model.write_bytes(model.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelError, match=r"card-locator\.onnx: is not the file that its card describes"):
        Network(tmp_path, "card-locator")


def test_a_missing_model_and_a_damaged_card_are_named(tmp_path: Path):
    """The message says which file, and what is wrong."""
    with pytest.raises(ModelError, match="no model card there"):
        Network(tmp_path, "card-locator")
    (tmp_path / "card-locator.toml").write_text("name = [", encoding="utf-8")
    with pytest.raises(ModelError, match="not a model card"):
        Network(tmp_path, "card-locator")
    (tmp_path / "card-locator.toml").write_text('name = "card-locator"\nsha256 = "0"\n', encoding="utf-8")
    with pytest.raises(ModelError, match=r"card-locator\.onnx: cannot be read"):
        Network(tmp_path, "card-locator")


@pytest.mark.parametrize(
    "line", ["temperature = 0", "temperature = nan", "temperature = [1]", "threshold = nan", "classes = 5"]
)
def test_a_card_with_a_figure_that_is_none_is_named(tmp_path: Path, line: str):
    """Names divided by nothing would be sure of nothing, or of anything, without a word."""
    card = tmp_path / "card-locator.toml"
    card.write_text(f'name = "card-locator"\nsha256 = "0"\n{line}\n', encoding="utf-8")
    with pytest.raises(ModelError, match=r"card-locator\.toml: not a model card"):
        ModelCard.read(card)


def test_a_classifier_with_other_classes_is_refused(tmp_path: Path):
    """Answers in another order would be silently wrong cards."""
    for path in asset("models").glob("card-classifier.*"):
        shutil.copy(path, tmp_path)
    card = tmp_path / "card-classifier.toml"
    card.write_text(card.read_text(encoding="utf-8").replace('"AH", "TH"', '"TH", "AH"'), encoding="utf-8")
    with pytest.raises(ModelError, match="other classes"):
        Classifier(tmp_path)


def test_many_pictures_are_answered_as_each_alone():
    """However they are dealt out, and none at all have no answer."""
    network = Network(asset("models"), "card-refiner")
    crops = np.random.default_rng(1).random((2 * MOST_AT_ONCE + 1, 3, 128, 96)).astype(np.float32)
    (together,) = network.run(crops)
    alone = np.concatenate([network.run(crops[at : at + 1])[0] for at in range(len(crops))])

    assert np.allclose(together, alone, atol=1e-5)
    assert network.run(crops[:0])[0].shape == (0, 8)
