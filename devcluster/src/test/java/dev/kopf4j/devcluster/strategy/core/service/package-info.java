/** Tests of services. */
package dev.kopf4j.devcluster.strategy.core.service;
