/** HL7 version 2 input: messages with documents, received through MLLP. The only package that uses HAPI HL7v2. */
@NullMarked
package org.plant4j.hl7;

import org.jspecify.annotations.NullMarked;
