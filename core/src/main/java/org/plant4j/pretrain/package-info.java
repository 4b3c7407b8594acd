/** Language models and masked language models trained on unlabelled text. */
@NullMarked
package org.plant4j.pretrain;

import org.jspecify.annotations.NullMarked;
