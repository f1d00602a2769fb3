/** The controllers of custom resource definitions. */
package dev.kopf4j.devcluster.controller.apiextensions;
