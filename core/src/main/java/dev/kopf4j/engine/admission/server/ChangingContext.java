package dev.kopf4j.engine.admission.server;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A TLS context that another one may take the place of while a server uses it: the JDK's server takes its context once
 * and for all. Connections that exist go on with the one that they began with. Thread-safe.
 */
final class ChangingContext extends SSLContext {
    private final Current current;

    private ChangingContext(Current current) {
        super(current, current.context.getProvider(), current.context.getProtocol());
        this.current = current;
    }

    static ChangingContext of(SSLContext first) {
        return new ChangingContext(new Current(first));
    }

    /** From now on new connections are made by this one. */
    void use(SSLContext next) {
        current.context = next;
    }

    private static final class Current extends SSLContextSpi {
        private volatile SSLContext context;

        Current(SSLContext context) {
            this.context = context;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw new UnsupportedOperationException("the contexts behind this one are initialised already");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return context.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return context.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return context.createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return context.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return context.getSupportedSSLParameters();
        }
    }
}
