/** Importers of published encoder weights (Hugging Face, ONNX, TensorFlow). Plain Java, no natives. */
@NullMarked
package org.plant4j.encoder.importer;

import org.jspecify.annotations.NullMarked;
