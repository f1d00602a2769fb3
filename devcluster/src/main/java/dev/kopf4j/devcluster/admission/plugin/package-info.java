/** The built-in admission plugins that look at other objects: limit ranges, classes of priority and of runtimes. */
@NullMarked
package dev.kopf4j.devcluster.admission.plugin;

import org.jspecify.annotations.NullMarked;
