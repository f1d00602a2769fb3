/** Tests of the judgement. */
@NullMarked
package dev.kopf4j.e2e.endurance.judgement;

import org.jspecify.annotations.NullMarked;
