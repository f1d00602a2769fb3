/** What goes wrong on demand: how faults are written down, and how they befall requests and watches. */
package dev.kopf4j.devcluster.fault;
