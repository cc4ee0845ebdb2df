# The server with its page. Build: docker build -t treatise . Run: docker compose -f deploy/compose.yaml up
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY scripts/constraints.txt scripts/constraints.txt
COPY deploy/treatise.1 deploy/treatise.1
COPY src src
RUN python -m venv /opt/treatise \
    && /opt/treatise/bin/pip install --no-cache-dir --disable-pip-version-check -c scripts/constraints.txt '.[server,llm]'

FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --create-home --home-dir /data treatise
COPY --from=build /opt/treatise /opt/treatise
ENV PATH=/opt/treatise/bin:$PATH \
    TREATISE_STORE=/data/library.db \
    TREATISE_SERVER_HOST=0.0.0.0 \
    TREATISE_SERVER_PORT=8790 \
    TREATISE_SERVER_HEALTH_PORT=8791
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8790
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8791/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["treatise"]
CMD ["serve"]
