/** What the stages of a pipeline share: the session, the cache, fingerprints and times. */
@NullMarked
package org.plant4j.pipeline.stage;

import org.jspecify.annotations.NullMarked;
