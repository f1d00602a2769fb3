/** A small run of the program that is for long ones, and tests of its parts. */
@NullMarked
package dev.kopf4j.e2e.endurance;

import org.jspecify.annotations.NullMarked;
