/** Tests of controllers. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller;
